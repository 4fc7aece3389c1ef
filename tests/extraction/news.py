"""News pages in nine languages, written for these tests: the article, and the clutter around it."""

from __future__ import annotations

import re
from typing import NamedTuple


class News(NamedTuple):
    """What stands on one page; `teasers` are headings with a line of text each."""

    language: str
    site: str
    headline: str
    byline: str
    caption: str
    body: tuple[str, ...]
    menu: tuple[str, ...]
    teasers: tuple[tuple[str, str], ...]
    related: tuple[str, ...]
    comments: tuple[tuple[str, str], ...]
    footer: str


ENGLISH = News(
    "en",
    "Harbour Gazette",
    "Old ferry returns to the bay after twelve years",
    "By Ann Lee, 4 March",
    "The ferry on its first trial run. Photo: Tom Hale",
    (
        "The old ferry between Northwick and the islands will sail again from the first of May, the harbour "
        "board said on Tuesday. It had been laid up for twelve years, after a storm damaged the landing "
        "stage and nobody wanted to pay for a new one.",
        "A group of islanders bought the ship for a single pound, and spent their weekends on it ever since. "
        "They replaced the engine, most of the planks and all of the wiring. “We did not know what we were "
        "doing for the first three years,” said Mary Brook, who leads the group.",
        "The board will pay for half of the new landing stage. The rest comes from the county, which hopes "
        "that fewer cars will cross the bridge in summer. The bridge is closed for repairs two months a "
        "year.",
        "Tickets will cost four pounds, and two for those who live on the islands. There will be six "
        "crossings a day, weather permitting, and bicycles travel free. Dogs do not, for reasons that the "
        "board did not want to go into.",
        "Not everybody is pleased. The owner of the only taxi on the islands said that he would have to look "
        "for other work, and two fishermen fear for their moorings. The board promised to talk to all three.",
    ),
    ("Home", "News", "Sport", "Weather", "Culture", "Letters"),
    (
        ("Council votes on parking", "The vote was close, and there will be another one in June."),
        ("Library opens on Sundays", "Readers had asked for it for years, and now they have it."),
        ("Rain until Friday", "The wettest week of the year so far, say those who measure it."),
        ("School choir wins again", "Their third prize in a row, with a song nobody had heard before."),
    ),
    ("Bridge to close in June", "What the storm did to the coast", "Islanders and their ships: a history"),
    (
        ("Peter", "My grandfather was the captain of that ship. He would have been glad to see this."),
        ("Joan", "Four pounds is too much. The bridge costs nothing, when it is open at all."),
        ("Old salt", "It will be laid up again by autumn, you will see. They never learn, do they?"),
    ),
    "© Harbour Gazette. All rights reserved. Terms of use, privacy and contact.",
)

SPANISH = News(
    "es",
    "El Faro del Valle",
    "El mercado viejo reabre tras siete años de obras",
    "Por Lucía Campos, 12 de abril",
    "La nave central del mercado, ayer por la mañana. Foto: Raúl Peña",
    (
        "El mercado viejo de San Telmo abrirá de nuevo sus puertas el próximo sábado, después de siete años "
        "de obras y de tres alcaldes distintos. El ayuntamiento confirmó el martes que todos los permisos "
        "están firmados y que los puestos ya tienen luz y agua.",
        "La reforma costó casi el doble de lo previsto. Bajo el suelo de la nave aparecieron los restos de "
        "un lavadero del siglo XVI, y los trabajos se detuvieron durante dos años mientras los arqueólogos "
        "los estudiaban. Ahora se pueden ver a través de un cristal, junto a la entrada.",
        "De los cuarenta y dos vendedores que había antes vuelven diecinueve. «Mi madre vendía aquí "
        "aceitunas y yo también las voy a vender», dijo Carmen Ortiz mientras limpiaba su puesto. Los demás "
        "se jubilaron o encontraron otro local.",
        "Los nuevos puestos serán más pequeños, pero también más baratos. El alquiler será de ciento veinte "
        "euros al mes durante los tres primeros años, y una cuarta parte queda reservada para los "
        "agricultores de la comarca, que podrán vender sin intermediarios.",
        "Los vecinos temen el ruido y los camiones de reparto. El ayuntamiento promete que nadie descargará "
        "antes de las siete de la mañana y que habrá un aparcamiento para bicicletas, aunque todavía no ha "
        "dicho dónde.",
    ),
    ("Inicio", "Noticias", "Deportes", "El tiempo", "Cultura", "Cartas"),
    (
        ("El río baja limpio", "Por primera vez en diez años se puede bañar la gente en el puente."),
        ("Huelga de autobuses", "Los conductores paran el jueves, y piden más descanso entre turnos."),
        ("Nueva biblioteca", "El barrio norte tendrá la suya en otoño, con sala para los niños."),
        ("Fiestas sin fuegos", "La sequía obliga a celebrar la noche grande solo con música."),
    ),
    ("Qué se encontró bajo el mercado", "Los mercados de la comarca, uno a uno", "Comer en San Telmo"),
    (
        ("Paco", "Ya era hora, llevábamos años comprando en el polígono como si no hubiera otra cosa."),
        ("Elena", "Con ese alquiler van a durar dos años, y después vendrán las tiendas de recuerdos."),
        ("Vecino", "A mí lo que me preocupa son los camiones, porque mi calle es muy estrecha."),
    ),
    "© El Faro del Valle. Todos los derechos reservados. Aviso legal, privacidad y contacto.",
)

GERMAN = News(
    "de",
    "Talbote",
    "Das Schwimmbad im Tal macht im Sommer wieder auf",
    "Von Jana Vogt, 3. Mai",
    "Noch ist das Becken leer: der Bademeister bei der Arbeit. Foto: Uwe Kern",
    (
        "Das Freibad im Mühltal öffnet am ersten Juni wieder. Das hat der Gemeinderat am Montagabend mit "
        "einer Stimme Mehrheit beschlossen. Vier Jahre lang war es geschlossen gewesen, weil Wasser aus dem "
        "Becken in den Keller der Schule gelaufen war.",
        "Die Sanierung hat anderthalb Millionen Euro gekostet, ein Drittel davon kam von den Bürgern selbst. "
        "Ein Verein hatte Kuchen verkauft, Konzerte gegeben und Patenschaften für jede einzelne Kachel "
        "vergeben. „Am Ende waren die Kacheln vor den Paten alle“, sagte die Vorsitzende Petra Lohmann.",
        "Das Wasser wird künftig von der Sonne geheizt. Auf dem Dach der Umkleiden liegen dafür Schläuche, "
        "die im Winter abgebaut werden können. An kühlen Tagen bleibt das Bad trotzdem kalt, denn eine "
        "zweite Heizung wollte der Rat nicht bezahlen.",
        "Der Eintritt kostet drei Euro, für Kinder die Hälfte. Geöffnet ist von zehn bis zwanzig Uhr, bei "
        "Gewitter wird geschlossen. Gesucht werden noch zwei Rettungsschwimmer, die auch an Wochenenden "
        "arbeiten wollen und schon achtzehn Jahre alt sind.",
        "Gegen den Beschluss stimmten jene, die das Geld lieber in die Straßen gesteckt hätten. Sie "
        "kündigten an, im Herbst nach den Kosten zu fragen. Der Bürgermeister nahm es gelassen und "
        "versprach, als Erster vom Turm zu springen.",
    ),
    ("Startseite", "Nachrichten", "Sport", "Wetter", "Kultur", "Leserbriefe"),
    (
        ("Straße gesperrt", "Bis zum Herbst fahren die Busse eine andere Strecke durch das Dorf."),
        ("Neue Glocken", "Die alten waren gesprungen, und sammeln wollte lange Zeit niemand."),
        ("Bäcker hört auf", "Nach vierzig Jahren schließt der letzte Laden in der Hauptstraße."),
        ("Sieg in letzter Minute", "Der Verein bleibt in der Liga, und gefeiert wurde bis zum Morgen."),
    ),
    ("Als das Becken leerlief", "Die schönsten Seen im Umland", "Wer für die Kacheln bezahlte"),
    (
        ("Karl", "Vier Jahre für ein Loch im Boden, das glaubt einem in der Stadt doch keiner."),
        ("Ines", "Meine Kinder lernen dann endlich schwimmen, danke an alle, die geholfen haben."),
        ("Rolf", "Und wer zahlt, wenn es wieder leckt? Darüber hat im Rat niemand gesprochen."),
    ),
    "© Talbote. Alle Rechte vorbehalten. Impressum, Datenschutz und Kontakt.",
)

FRENCH = News(
    "fr",
    "Le Courrier des Monts",
    "La petite gare de Valombre échappe à la fermeture",
    "Par Claire Dumas, le 9 juin",
    "La gare de Valombre, construite en 1887. Photo : Hugo Petit",
    (
        "La gare de Valombre ne fermera pas. La région a annoncé jeudi qu’elle reprendrait à sa charge "
        "l’entretien du bâtiment et des deux quais, que la compagnie voulait abandonner à la fin de l’année. "
        "Les habitants se battaient depuis dix-huit mois.",
        "Six trains s’y arrêtent chaque jour, et une centaine de voyageurs y montent, surtout des lycéens. "
        "Sans la gare, ils auraient dû prendre un car qui met une heure de plus. « Nous nous levions déjà à "
        "cinq heures et demie », raconte Manon, élève de terminale.",
        "La commune a racheté l’ancienne salle d’attente pour un euro. Une épicerie s’y installera au "
        "printemps, tenue par une association du village, et l’on pourra y acheter des billets. La compagnie "
        "avait supprimé le guichet il y a neuf ans.",
        "Les travaux coûteront quatre cent mille euros. Il faut refaire le toit, élargir un quai et poser "
        "une rampe pour les fauteuils roulants. La région en paie les deux tiers, le département le reste, "
        "et la commune donne le bois de sa forêt.",
        "Tout n’est pas gagné pour autant. La ligne elle-même doit être rénovée avant cinq ans, faute de "
        "quoi les trains rouleront au pas. Personne n’a encore dit qui paierait, et les maires de la vallée "
        "se réuniront à l’automne pour en parler.",
    ),
    ("Accueil", "Actualités", "Sports", "Météo", "Culture", "Courrier"),
    (
        ("Un pont tout neuf", "Les camions peuvent de nouveau passer par le bas du village."),
        ("Vendanges précoces", "Il a fait si chaud que l’on commence trois semaines plus tôt."),
        ("Le cinéma rouvre", "Une seule salle, mais deux films par semaine et un par mois pour les petits."),
        ("Le loup est revenu", "Les bergers demandent des chiens, et la préfecture promet d’y penser."),
    ),
    ("Les lignes que l’on a fermées", "Histoire d’une gare de montagne", "Voyager sans voiture"),
    (
        ("Luc", "Enfin une bonne nouvelle, on n’y croyait plus du tout dans le village."),
        ("Odile", "Et les retards, on en parle quand ? Hier encore, quarante minutes sur le quai."),
        ("Ancien", "Mon père y était chef de gare, et il y avait alors quinze trains par jour."),
    ),
    "© Le Courrier des Monts. Tous droits réservés. Mentions légales et contact.",
)

PORTUGUESE = News(
    "pt",
    "Gazeta da Serra",
    "Vila recupera o moinho e volta a fazer o seu pão",
    "Por Inês Faria, 21 de setembro",
    "As mós foram talhadas por um canteiro da terra. Foto: Rui Matos",
    (
        "O moinho de água de Ribeira Velha voltou a funcionar no domingo, quarenta anos depois de o último "
        "moleiro ter morrido sem deixar quem lhe seguisse o ofício. A primeira farinha foi distribuída pelas "
        "casas da vila, e à noite cheirava a pão em todas as ruas.",
        "A ideia nasceu na escola. Os alunos queriam saber de onde vinha o pão dos avós, e a professora "
        "levou-os a ver as ruínas. «Estavam cobertas de silvas, mas a roda ainda lá estava», conta Teresa "
        "Lemos. Um ano depois havia já trinta voluntários.",
        "As mós novas foram talhadas por um canteiro de setenta e oito anos, que não aceitou dinheiro. A "
        "câmara pagou o telhado e a limpeza da levada, e uma empresa da cidade ofereceu a madeira. No total, "
        "as obras custaram pouco mais de vinte mil euros.",
        "O moinho vai trabalhar dois dias por semana, enquanto houver água. No verão a ribeira seca, e por "
        "isso a farinha terá de chegar de outubro a junho. Quem trouxer o seu cereal paga uma décima parte, "
        "como se fazia antigamente.",
        "Falta agora um moleiro. Até lá, os voluntários revezam-se, e dois deles foram aprender para o "
        "norte. A junta de freguesia oferece casa a quem quiser ficar, e diz que já recebeu cartas de três "
        "países.",
    ),
    ("Início", "Notícias", "Desporto", "Tempo", "Cultura", "Cartas"),
    (
        ("Estrada cortada", "As chuvas levaram um muro, e o desvio demora mais vinte minutos."),
        ("Banda faz cem anos", "O concerto é no largo, e toda a gente pode entrar sem pagar."),
        ("Médico novo", "Começa em janeiro, e vem três dias por semana ao posto da vila."),
        ("Lobos na serra", "Os pastores pedem cães, e o ministério diz que vai estudar o assunto."),
    ),
    ("Os moinhos que ainda trabalham", "O pão que se fazia na serra", "Quem foi o último moleiro"),
    (
        ("Zé", "O meu avô levava lá o milho de burro, e demorava o dia inteiro a voltar."),
        ("Marta", "Que bonito, hei de ir lá com os meus filhos quando formos à terra."),
        ("Rui", "E agora quem limpa a levada todos os anos? Vai ficar tudo como dantes."),
    ),
    "© Gazeta da Serra. Todos os direitos reservados. Termos, privacidade e contactos.",
)

RUSSIAN = News(
    "ru",
    "Вестник реки",
    "В городе снова пойдёт старый речной трамвай",
    "Анна Белова, 7 мая",
    "Первый пробный рейс прошёл без пассажиров. Фото: Иван Круглов",
    (
        "Старый речной трамвай снова пойдёт по городу с первого июня. Об этом сообщили во вторник в "
        "управлении порта. Последний раз он выходил на линию одиннадцать лет назад, а потом стоял у причала "
        "и понемногу ржавел.",
        "Судно выкупили сами жители. Они собрали деньги, нашли чертежи в архиве и три зимы подряд работали "
        "по выходным. «Сначала мы только мешали друг другу, — рассказал инженер Павел Седов, — а потом "
        "научились варить, красить и спорить с чиновниками».",
        "Маршрут будет коротким: от вокзала до старой мельницы, с тремя остановками. Поездка займёт сорок "
        "минут, билет обойдётся в сто рублей, а школьники поедут бесплатно. Если вода поднимется выше "
        "отметки, рейсы отменят.",
        "Город обещал отремонтировать два причала и поставить навесы. На это уйдёт всё лето, поэтому в "
        "первые месяцы пассажиров попросят приходить заранее. Осенью решат, можно ли продлить линию до "
        "нового района на левом берегу.",
        "Довольны не все. Рыбаки боятся, что волна распугает рыбу, а владелец прогулочных катеров считает "
        "цену слишком низкой. В порту ответили, что места на реке хватит всем, и пригласили недовольных "
        "прокатиться первыми.",
    ),
    ("Главная", "Новости", "Спорт", "Погода", "Культура", "Письма"),
    (
        ("Мост закроют на месяц", "Автобусы пойдут в объезд, и дорога займёт на полчаса больше."),
        ("Открылась библиотека", "Читатели ждали её четыре года, и в первый день была очередь."),
        ("Дожди до пятницы", "Синоптики советуют не убирать зонты и не ехать за грибами."),
        ("Хор победил снова", "Это уже третья награда подряд, и привезли её из столицы."),
    ),
    ("История речного флота", "Что осталось от старых причалов", "Куда поехать на выходные"),
    (
        ("Николай", "Мой дед водил этот трамвай ещё до войны, жаль, что он не дожил."),
        ("Ольга", "Сто рублей за три остановки — это дорого, автобус стоит вдвое меньше."),
        ("Скептик", "До осени походит и опять встанет, у нас всегда так бывает."),
    ),
    "© Вестник реки. Все права защищены. Условия использования и контакты.",
)

ARABIC = News(
    "ar",
    "صوت الوادي",
    "القطار القديم يعود إلى الوادي بعد عشرين عاما",
    "بقلم ليلى حداد، 5 مارس",
    "القطار في رحلته التجريبية الأولى. تصوير: سامي نصر",
    (
        "يعود القطار القديم إلى الوادي في أول الشهر المقبل، كما أعلنت إدارة السكة يوم الثلاثاء. وكان القطار "
        "قد توقف قبل عشرين عاما، بعد أن جرفت السيول الجسر الكبير ولم يجد أحد المال لبناء جسر جديد.",
        "واشترى أهل القرى العربات بثمن زهيد، وعملوا على إصلاحها في أيام العطل. وقال مهندس متقاعد يقود "
        "المجموعة: «لم نكن نعرف شيئا عن القطارات في البداية، ثم تعلمنا كل شيء من الكتب ومن العمال القدامى».",
        "وستدفع الدولة نصف كلفة الجسر، أما النصف الآخر فيأتي من البلديات التي تأمل أن تقل السيارات على "
        "الطريق الضيق. ويستغرق السفر من المدينة إلى آخر قرية ساعة واحدة، بعد أن كان يستغرق ثلاث ساعات.",
        "وسيكون ثمن التذكرة قليلا، ويسافر التلاميذ مجانا. وهناك ست رحلات في اليوم، إلا إذا كان المطر غزيرا. "
        "ويمكن للفلاحين أن ينقلوا محاصيلهم في عربة خاصة، وهذا ما طلبوه منذ سنوات طويلة.",
        "ولكن بعض الناس غير راضين. فأصحاب سيارات الأجرة يخافون على رزقهم، وسكان البيوت القريبة من المحطة "
        "يخشون الضجيج. ووعدت الإدارة بأن تتحدث معهم جميعا قبل نهاية الشهر، وبأن تبحث عن حل يرضي الجميع.",
    ),
    ("الرئيسية", "أخبار", "رياضة", "الطقس", "ثقافة", "رسائل"),
    (
        ("افتتاح مكتبة جديدة", "انتظرها القراء أربع سنوات، وجاء كثير منهم في اليوم الأول."),
        ("أمطار حتى الجمعة", "ينصح خبراء الطقس بعدم السفر في الجبال خلال هذه الأيام."),
        ("فوز الفريق مرة أخرى", "هذه هي الجائزة الثالثة على التوالي، واحتفل الناس في الشوارع."),
        ("إغلاق الطريق شهرا", "ستسلك الحافلات طريقا آخر، وتطول الرحلة نصف ساعة."),
    ),
    ("تاريخ السكة في الوادي", "ماذا بقي من المحطات القديمة", "إلى أين تسافر هذا الأسبوع"),
    (
        ("كريم", "كان جدي يعمل في هذا القطار، وكم كان سيفرح لو رآه اليوم يعود."),
        ("سعاد", "خبر جميل جدا، سنسافر مع الأولاد في أول يوم إن شاء الله."),
        ("زائر", "سيتوقف من جديد قبل الخريف، فهكذا تجري الأمور عندنا دائما."),
    ),
    "© صوت الوادي. جميع الحقوق محفوظة. شروط الاستخدام واتصل بنا.",
)

CHINESE = News(
    "zh",
    "江畔日报",
    "停航十二年的老渡轮下月重返江面",
    "记者 林小雨 3月4日",
    "老渡轮首次试航。摄影：陈立",
    (
        "港务局周二宣布，连接城北与江心岛的老渡轮将于下月一日恢复航行。十二年前，一场暴风雨毁坏了码头，此后没有人愿意出钱"
        "重建，渡轮便一直停在岸边，慢慢生锈。",
        "岛上的居民用很低的价格把船买了下来，每个周末都去修理。他们换了发动机、大部分木板和全部电线。“头三年我们根本不知道"
        "自己在做什么，”带头的王阿姨笑着说，“后来什么都学会了。”",
        "新码头的费用由港务局承担一半，其余由市里支付。市里希望夏天过桥的汽车能少一些，因为那座桥每年都要封闭两个月进行维修，"
        "岛上的孩子上学只能绕很远的路。",
        "船票四元，岛上居民只收一半，自行车免费。天气好的时候每天往返六次，遇到大雾或者水位过高就停航。船上还会开一间小茶馆，"
        "由退休的老船长来经营。",
        "并不是所有人都高兴。岛上唯一的出租车司机说，他恐怕得另找工作了；两位渔民也担心失去停船的地方。港务局答应在开航之前"
        "和他们好好谈一谈，找到大家都能接受的办法。",
    ),
    ("首页", "新闻", "体育", "天气", "文化", "来信"),
    (
        ("图书馆周日开放", "读者盼了好多年，现在终于可以在周末借书了。"),
        ("大雨将持续到周五", "气象台提醒市民出门带伞，尽量不要去山里。"),
        ("学校合唱团再次获奖", "这已经是连续第三年，他们唱了一首新歌。"),
        ("停车收费下月投票", "意见分歧很大，结果可能只差几票。"),
    ),
    ("大桥六月封闭维修", "那场暴风雨留下了什么", "江心岛与船的历史"),
    (
        ("老张", "我爷爷就是那条船的船长，他要是能看到今天该多高兴啊。"),
        ("小梅", "四块钱有点贵，过桥又不要钱，不过桥也经常不开。"),
        ("路人", "我看到秋天又要停航，每次都是这样，没有一次例外。"),
    ),
    "© 江畔日报 版权所有 使用条款 联系我们",
)

JAPANESE = News(
    "ja",
    "みなと新聞",
    "休んでいた渡し船が十二年ぶりに湾へ戻る",
    "記者 森川あい 3月4日",
    "試験運航をする渡し船。撮影:大野健",
    (
        "港の北側と島を結ぶ古い渡し船が、来月一日からふたたび運航する。港湾局が火曜日に発表した。十二年前の嵐で桟橋が壊れ、"
        "建て直す費用をだれも出そうとしなかったため、船は岸につながれたままになっていた。",
        "島の人たちは船を安く買い取り、週末ごとに修理を続けてきた。エンジンと配線はすべて取り替え、板もほとんど張り直した。"
        "「最初の三年は何をしているのか自分たちでも分からなかった」と、まとめ役の村田さんは笑う。",
        "新しい桟橋の費用は港湾局が半分を出し、残りは県が負担する。県は、夏に橋を渡る車が減ることを期待している。橋は修理の"
        "ため毎年二か月ほど通行止めになり、子どもたちは遠回りをして学校に通っていた。",
        "料金は四百円で、島に住む人は半額になる。自転車は無料で乗せられる。天気がよければ一日に六往復し、霧の深い日や波の高い"
        "日は休む。船の中には小さな喫茶店ができ、引退した船長が店に立つという。",
        "喜んでいる人ばかりではない。島でただ一台のタクシーの運転手は、別の仕事を探さなければならないと話す。漁師の二人は船を"
        "つなぐ場所がなくなるのを心配している。港湾局は、運航が始まる前に全員と話し合うと約束した。",
    ),
    ("ホーム", "ニュース", "スポーツ", "天気", "文化", "投書"),
    (
        ("図書館が日曜も開館", "読者が何年も待っていたことが、ようやく実現した。"),
        ("金曜まで雨が続く", "気象台は、山に出かけるのを控えるよう呼びかけている。"),
        ("合唱部がまた優勝", "三年続けての受賞で、だれも知らない歌を歌った。"),
        ("駐車料金を来月投票", "意見は割れていて、数票の差になりそうだという。"),
    ),
    ("六月に橋が通行止めに", "あの嵐が海岸に残したもの", "島の人と船の歴史"),
    (
        ("ひろし", "祖父があの船の船長でした。今日の姿を見たら、どんなに喜んだことでしょう。"),
        ("さくら", "四百円は少し高いと思います。橋はただですから。開いていれば、ですけれど。"),
        ("通りすがり", "秋にはまた休みになるでしょう。いつもそうでしたから、今度も同じです。"),
    ),
    "© みなと新聞 無断転載を禁じます 利用規約 お問い合わせ",
)

NEWS = {
    news.language: news
    for news in (ENGLISH, SPANISH, GERMAN, FRENCH, PORTUGUESE, RUSSIAN, ARABIC, CHINESE, JAPANESE)
}


def page_of(news: News) -> str:
    """The page as a content system writes it, with names in English."""
    direction = "rtl" if news.language == "ar" else "ltr"
    menu = "".join(f'<li><a href="/{index}">{text}</a></li>' for index, text in enumerate(news.menu))
    teasers = "".join(
        f'<div class="teaser"><h3><a href="/t{index}">{title}</a></h3><p>{text}</p></div>'
        for index, (title, text) in enumerate(news.teasers)
    )
    first, *others = (f"<p>{text}</p>" for text in news.body)
    related = "".join(f'<li><a href="/r{index}">{text}</a></li>' for index, text in enumerate(news.related))
    comments = "".join(
        f'<li class="comment"><div class="comment-name">{name}</div><p>{text}</p></li>'
        for name, text in news.comments
    )
    return f"""<!doctype html><html lang="{news.language}" dir="{direction}">
<head><meta charset="utf-8"><title>{news.headline} - {news.site}</title></head><body>
<div id="header"><div class="logo"><a href="/">{news.site}</a></div>
<ul class="menu">{menu}</ul></div>
<div id="page"><div class="story"><h1>{news.headline}</h1><div class="byline">{news.byline}</div>
<div class="story-text">{first}
<figure class="photo"><img src="a.jpg" alt=""><figcaption>{news.caption}</figcaption></figure>
{"".join(others)}</div>
<div class="related"><ul>{related}</ul></div></div>
<div id="comments"><ol>{comments}</ol></div>
<div class="sidebar">{teasers}</div></div>
<div id="footer"><p>{news.footer}</p></div></body></html>"""


def without_names(page: str) -> str:
    """The page without any class and id."""
    return re.sub(r' (?:class|id)="[^"]*"', "", page)
