"""Signs of readers' comments in what short blocks say: headings above, lines that sign them, buttons below.

The words are those of web sites in the languages that most news is written in. They are features among
others, and a page in another language only lacks them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from extraction.extractors.goldpan.measures import BlockMeasures, Flags

_HEADING_WORDS = """
    comment comments response responses reply replies feedback discussion thoughts reaction reactions
    reactie reacties reageer kommentar kommentare kommentarer kommentera diskussion meinung meinungen
    leserbriefe commentaire commentaires réaction réactions avis comentario comentarios respuestas opiniones
    comentário comentários respostas commento commenti risposte komentarz komentarze komentarzy opinie
    komentář komentáře komentářů diskuse комментарии комментария комментариев отзывы yorum yorumlar
    kommentit kommentti hozzászólás hozzászólások σχόλια تعليقات التعليقات コメント 评论 評論 留言 댓글
"""
_BUTTON_WORDS = """
    reply quote permalink report flag like share edit vote up down recommend recommended link
    antworten zitieren melden répondre signaler responder denunciar rispondi segnala odpowiedz zgłoś svara
    beantwoorden ответить пожаловаться yanıtla vastaa válasz απάντηση رد 返信 回复 回覆 답글
"""
_SAYING_WORDS = """
    say says said write writes wrote commented replied posted schrieb schreibt sagt meint
    écrit dit dice dijo escribió escribe disse scrive scritto napisał napisała pisze пишет написал
"""
_HEADINGS, _BUTTONS, _SAYING = (
    frozenset(words.split()) for words in (_HEADING_WORDS, _BUTTON_WORDS, _SAYING_WORDS)
)
_MONTHS = """
    jan feb m[aä]r apr ma[iyj] jun jul aug sep o[ck]t nov de[cz] ene abr ago dic f[eé]v avr juin juil
    ao[uû]t d[eé]c gen giu lug set ott sty lut kwi maj cze lip sie wrz pa[zź] lis gru
"""
_MONTH = rf"(?:{'|'.join(_MONTHS.split())})\w*\.?"
# Of lower-cased text. What begins with a digit is looked for by it, which is found fast.
_DATE = re.compile(
    rf"""\d(?:\d?\s*[:.h]\s*\d{{2}}\b
    | (?<=\b\d)(?:\d{{0,3}}[/.\-]\d{{1,2}}[/.\-]\d{{1,4}}\b
        | \d?(?:st|nd|rd|th|\.|º)?\s+(?:de\s+)?{_MONTH}
        | \d*\s+(?:second|minute|hour|day|week|month|year)s?\s+ago\b))""",
    re.VERBOSE,
)
_BLANK_AND_DIGIT = re.compile(r"\s\d")
_DATE_AFTER_WORD = re.compile(rf"\b(?:{_MONTH}\s+\d{{1,2}}\b|(?:vor|hace|il\sy\sa)\s+\d)")
_WORD = re.compile(r"\w+")
# A sign is no longer than this (characters, words), a heading and a button are shorter still.
_LONGEST, _LONGEST_HEADING, _HEADING_MOST_WORDS, _BUTTON_MOST_WORDS = 90, 60, 8, 2


@dataclass(frozen=True, slots=True)
class Signs:
    """Whether each block may be a heading above comments, a button at one, or a line that signs one."""

    headings: Flags
    buttons: Flags
    signatures: Flags

    @classmethod
    def of(cls, texts: Sequence[str], measures: BlockMeasures) -> Signs:
        """Read the short ones among blocks of these texts."""
        signs = cls(*(np.zeros(len(texts), dtype=np.bool_) for _ in range(3)))
        short = np.flatnonzero(measures.characters < _LONGEST)
        for block, has_digits in zip(short.tolist(), (measures.digits[short] > 0).tolist(), strict=True):
            text = texts[block].lower()
            words = _WORD.findall(text)
            if not words:
                continue
            if len(words) <= _BUTTON_MOST_WORDS and words[0] in _BUTTONS:
                signs.buttons[block] = True
            elif (
                len(words) <= _HEADING_MOST_WORDS
                and len(text) < _LONGEST_HEADING
                and not _HEADINGS.isdisjoint(words)
            ):
                signs.headings[block] = True
            if words[-1] in _SAYING or (has_digits and _is_dated(text)):
                signs.signatures[block] = True
        return signs


def _is_dated(text: str) -> bool:
    """Whether a lower-cased text has a date or a time."""
    return bool(_DATE.search(text) or (_BLANK_AND_DIGIT.search(text) and _DATE_AFTER_WORD.search(text)))
