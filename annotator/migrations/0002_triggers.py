import pgtrigger.compiler
from django.db import migrations

from annotator.common.triggers import AddTrigger


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0001_initial"),
    ]

    operations = [
        AddTrigger(
            model_name="corpus",
            trigger=pgtrigger.compiler.Trigger(
                name="guideline_exists",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    constraint="CONSTRAINT",
                    func="\nif not exists (\n    select from annotator_guideline where corpus_id = new.id and number = new.guideline_version)\nthen\n    raise exception 'the current guideline of a corpus is one of its own'\n        using errcode = 'foreign_key_violation';\nend if;\nreturn null;\n",
                    hash="2acd6ceb32bde29f92020757b1d31ce8955e5908",
                    operation='INSERT OR UPDATE OF "guideline_version"',
                    pgid="pgtrigger_guideline_exists_6f5e3",
                    table="annotator_corpus",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="auditevent",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="4df4be0c5207bfa9eabf11f0df2b6c1346ad332f",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_071be",
                    table="annotator_auditevent",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="auditevent",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="5de13556bba003761ddaf0a20844045c81a0c6cb",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_990be",
                    table="annotator_auditevent",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="guideline",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="a0f9db4e793b88e10940d450d6fd24c5a05f8216",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_20922",
                    table="annotator_guideline",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="guideline",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="fad0f48c9448b5eac6244ded08bf30bb90f80cf5",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_ba024",
                    table="annotator_guideline",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="membership",
            trigger=pgtrigger.compiler.Trigger(
                name="annotators_are_blind",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nif new.ended_at is not null then\n    return new;\nend if;\nperform pg_advisory_xact_lock(hashtextextended('membership ' || new.corpus_id || ' ' || new.user_id, 0));\nif exists (\n    select from annotator_membership m\n    where m.corpus_id = new.corpus_id and m.user_id = new.user_id and m.ended_at is null and m.id <> new.id\n        and 'annotator' in (m.role, new.role) and (m.role in ('admin', 'researcher') or new.role in ('admin', 'researcher')))\nthen\n    raise exception 'an annotator of a corpus cannot see the marks of others in it'\n        using errcode = 'integrity_constraint_violation';\nend if;\nreturn new;\n",
                    hash="ef2a809f8e3dea8b8f67df3c3940627c633dfe36",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_annotators_are_blind_4f2ea",
                    table="annotator_membership",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="practicesettings",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="e09c712d1800eeeeb82c919bb4cefbd7996ba625",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_765cb",
                    table="annotator_practicesettings",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="practicesettings",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c4bfba9ea4f9b9fd627eafe902af8afe447042a4",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_d9264",
                    table="annotator_practicesettings",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="practiceattempt",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."finished_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="a1f2f8454b81c0d66f793c1391f3398823b5086a",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_3fb06",
                    table="annotator_practiceattempt",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="practiceattempt",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="7d1a05231b72df78d77e74f5284a1b8d5cc17c03",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_f7678",
                    table="annotator_practiceattempt",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="qualification",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="e6e0949b6e5a34e7023718425d0f12a69c5386e7",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_8b52a",
                    table="annotator_qualification",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="qualification",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="85cd41c8f85a30995b17d80b65037c6ebf30ba35",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_2188b",
                    table="annotator_qualification",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="qualitycheck",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="d419c3d9ae77bdf1498e62b603b48495e85a9e21",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_b4324",
                    table="annotator_qualitycheck",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="qualitycheck",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="3c2299771fe3a10856099cbbcfd65ad10e4c884a",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_42e50",
                    table="annotator_qualitycheck",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="refusedsave",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"spans\": [], \"note\": \"\"}'\n    and exists (select from annotator_takedown where page_id = (select r.page_id from annotator_annotation a join annotator_slot s on s.id = a.slot_id join annotator_round r on r.id = s.round_id where a.id = old.annotation_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="3a63e442165e4cc7f15c924c21dae8eeeb4ede2e",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_316b4",
                    table="annotator_refusedsave",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="refusedsave",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="42a6ad3f1c84d520f457ab16cce17199b2f90660",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_3c982",
                    table="annotator_refusedsave",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="release",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NOT (OLD.\"sha256\" = ''))",
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="9d96ad04575f8de0fe60dae0ec06cdd3d8ee63f6",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_39172",
                    table="annotator_release",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="release",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NOT (OLD.\"sha256\" = ''))",
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="fd0f707861776c1ee73662f19e8295e14cd627d5",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_a2ca8",
                    table="annotator_release",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="release",
            trigger=pgtrigger.compiler.Trigger(
                name="counts_again",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if tg_op <> 'UPDATE' or (old.sha256 is distinct from new.sha256) then \ninsert into annotator_pagetocount (page, corpus)\nselect of.page_id, coalesce(p.corpus_id, c.corpus)\nfrom (select g.page_id from annotator_gold g join annotator_releasepage r on r.gold_id = g.id where r.release_id = new.id) as of (page_id)\nleft join annotator_page p on p.id = of.page_id\nleft join annotator_countedpage c on c.page = of.page_id\nwhere coalesce(p.corpus_id, c.corpus) is not null;\n end if; return null;",
                    hash="87cbb43518b05382ec719fc4366b17c69ae3619c",
                    operation='UPDATE OF "sha256"',
                    pgid="pgtrigger_counts_again_5e583",
                    table="annotator_release",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="learningcurve",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."result" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="f582280cc6f7ef4ca02d18d278fc9ac22b4bf050",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_cbfc8",
                    table="annotator_learningcurve",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="learningcurve",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."result" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="59dc568c85b10cc4133b5c7ca071feb07dbc081a",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_8484c",
                    table="annotator_learningcurve",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="erratum",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (old.corrected_in_id is not null or (to_jsonb(old) - '{corrected_in_id}'::text[]) <> (to_jsonb(new) - '{corrected_in_id}'::text[]))",
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"description\": \"taken down\"}'\n    and exists (select from annotator_takedown where page_id = (select id from annotator_page where corpus_id = old.corpus_id and sha256 = old.sha256))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="ac59f9dc23e7eadd2a8b7c7e5057255116c2ceeb",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_6739a",
                    table="annotator_erratum",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="erratum",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="6c792aaa1aa03b3afd7acac47a91dcb79ab02a42",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_64423",
                    table="annotator_erratum",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="releasepage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"metadata\": {}}'\n    and exists (select from annotator_takedown where page_id = (select page_id from annotator_gold where id = old.gold_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="cfb94fd6e4cf7a569a39f741bf2023e8545f830f",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_a4672",
                    table="annotator_releasepage",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="releasepage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c1e53c91366f9cc96c2147e24ac015d637039be3",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_8436c",
                    table="annotator_releasepage",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="revision",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"spans\": [], \"note\": \"\"}'\n    and exists (select from annotator_takedown where page_id = (select r.page_id from annotator_annotation a join annotator_slot s on s.id = a.slot_id join annotator_round r on r.id = s.round_id where a.id = old.annotation_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="fd7c2caa08cf0c0fee4520b0e514dca6087fa2b0",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_e3bb6",
                    table="annotator_revision",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="revision",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="52ecac8f18a1b4c3e8820eaacf5fe65e040c8da8",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_37a7a",
                    table="annotator_revision",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="reannotationpage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."round_id" IS NOT NULL OR NOT (OLD."exclusion" = \'\'))',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="b0ec85610edd4faa5f3654b228b2d7530baa6f04",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_78bc5",
                    table="annotator_reannotationpage",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="reannotationpage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="fc594642662321281facb82abab779e5426b994a",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_c742e",
                    table="annotator_reannotationpage",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="adjudication",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."finalised_at" IS NOT NULL)',
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"why\": \"taken down\"}'\n    and exists (select from annotator_takedown where page_id = (select page_id from annotator_round where id = old.round_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c775051ce0d2c8b50ac6a5297c67303adcc47994",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_39a37",
                    table="annotator_adjudication",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="adjudication",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="bdb4af162aa6c82863cc8115df07976c9ccdb385",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_5d21c",
                    table="annotator_adjudication",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="score",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="afcb32cc2a3916a10bfaca755cc0e22c330706f3",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_cd2b5",
                    table="annotator_score",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="score",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="9852cba78b961bef20936cd3a1fa73d081128b6f",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_98c1f",
                    table="annotator_score",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="score",
            trigger=pgtrigger.compiler.Trigger(
                name="counts_again",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if tg_op <> 'UPDATE' or (old.finished_at is distinct from new.finished_at) then \ninsert into annotator_pagetocount (page, corpus)\nselect of.page_id, coalesce(p.corpus_id, c.corpus)\nfrom (select page_id from annotator_gold where id = old.gold_id) as of (page_id)\nleft join annotator_page p on p.id = of.page_id\nleft join annotator_countedpage c on c.page = of.page_id\nwhere coalesce(p.corpus_id, c.corpus) is not null;\n end if; return null;",
                    hash="c5bacf844c1ac8a3efb4a5c4d051b48fe3df286a",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_counts_again_a066a",
                    table="annotator_score",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="measurement",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="a302ed6813a9540c2faa8af2e7a6d4ec17844a92",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_8ef9f",
                    table="annotator_measurement",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="measurement",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="734f8f132dd2a3678adf21a90083f1425bf9f152",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_08c52",
                    table="annotator_measurement",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="measurement",
            trigger=pgtrigger.compiler.Trigger(
                name="counts_again",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if tg_op <> 'UPDATE' or (old.figures is distinct from new.figures) then \ninsert into annotator_pagetocount (page, corpus)\nselect of.page_id, coalesce(p.corpus_id, c.corpus)\nfrom (select g.page_id from annotator_gold g join annotator_score s on s.gold_id = g.id where s.id = new.score_id) as of (page_id)\nleft join annotator_page p on p.id = of.page_id\nleft join annotator_countedpage c on c.page = of.page_id\nwhere coalesce(p.corpus_id, c.corpus) is not null;\n end if; return null;",
                    hash="37da821447e5030d1f6844dab5de7bfabd707216",
                    operation="UPDATE",
                    pgid="pgtrigger_counts_again_bf469",
                    table="annotator_measurement",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="slot",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."submitted_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="15fd315d77e8c2ef00313c822fc2badc0dac92f8",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_71c8e",
                    table="annotator_slot",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="slot",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="70ad87fea69aa94ac231a5452fe1153f1d234451",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_7a093",
                    table="annotator_slot",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="slot",
            trigger=pgtrigger.compiler.Trigger(
                name="weightsversion_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_weightsversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select r.page_id from old_rows was join new_rows it on it.id = was.id join annotator_round r on r.id = it.round_id and r.inclusion_probability is not null where was.submitted_at is distinct from it.submitted_at) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="c80732d43f9584d9a2b43078af0b0849f9c1397d",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_weightsversion_update_02774",
                    referencing="REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ",
                    table="annotator_slot",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="slot",
            trigger=pgtrigger.compiler.Trigger(
                name="weightsversion_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_weightsversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select r.page_id from new_rows it join annotator_round r on r.id = it.round_id and r.inclusion_probability is not null where true) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="4f4d780918c575809e864d68f7226f36647cda19",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_weightsversion_insert_1fffb",
                    referencing="REFERENCING NEW TABLE AS new_rows ",
                    table="annotator_slot",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="slot",
            trigger=pgtrigger.compiler.Trigger(
                name="weightsversion_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_weightsversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select r.page_id from old_rows it join annotator_round r on r.id = it.round_id and r.inclusion_probability is not null where true) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="0ccfb6ef0228a61943df7fcfa5d2b1740d48adfc",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_weightsversion_delete_fb783",
                    referencing="REFERENCING OLD TABLE AS old_rows ",
                    table="annotator_slot",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="slot",
            trigger=pgtrigger.compiler.Trigger(
                name="same_corpus",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nif not exists (\n    select from annotator_round r join annotator_page p on p.id = r.page_id\n    where r.id = new.round_id and (p.corpus_id = new.corpus_id) <> (r.purpose = 'practice'))\nthen\n    raise exception 'a slot is of the corpus of its page' using errcode = 'integrity_constraint_violation';\nend if;\nreturn new;\n",
                    hash="7675974f56d7276a00ee42081a7a72c8ba7e8a77",
                    operation='INSERT OR UPDATE OF "corpus_id", "round_id"',
                    pgid="pgtrigger_same_corpus_c3a88",
                    table="annotator_slot",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="practicepage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."evaluated_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="d5afa7c7b465a16879aa90c4d35b50fb87b2fd68",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_edb47",
                    table="annotator_practicepage",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="practicepage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="15b24bf828d470c0b7470d282925193663ac2674",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_1c2d0",
                    table="annotator_practicepage",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="reparsejob",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="578d40590a44fd8c7c273b68f71564e2b490d185",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_cf2d2",
                    table="annotator_reparsejob",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="reparsejob",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="34ab45d5b7fdf3eed9f1dc5b603301fc0495399b",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_77dbf",
                    table="annotator_reparsejob",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="page",
            trigger=pgtrigger.compiler.Trigger(
                name="same_document",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    constraint="CONSTRAINT",
                    declare="DECLARE of_page bigint;",
                    func="of_page := new.id;\nif exists (\n    select from annotator_gold g join annotator_page p on p.id = g.page_id\n    where p.id = of_page and g.current and g.document_id is distinct from p.document_id)\nthen\n    raise exception 'the current gold of a page speaks of its current document'\n        using errcode = 'integrity_constraint_violation';\nend if;\nreturn null;\n",
                    hash="e6e2ac6edb5df14acb55bfaf6fe9258efbde8097",
                    operation='UPDATE OF "document_id"',
                    pgid="pgtrigger_same_document_3b1a5",
                    table="annotator_page",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="page",
            trigger=pgtrigger.compiler.Trigger(
                name="counts_again",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if tg_op <> 'UPDATE' or ((old.site, old.language, old.captured_at, old.sha256) is distinct from (new.site, new.language, new.captured_at, new.sha256)) then \ninsert into annotator_pagetocount (page, corpus)\nselect of.page_id, coalesce(p.corpus_id, c.corpus)\nfrom (select new.id) as of (page_id)\nleft join annotator_page p on p.id = of.page_id\nleft join annotator_countedpage c on c.page = of.page_id\nwhere coalesce(p.corpus_id, c.corpus) is not null;\n end if; return null;",
                    hash="056f48f7f0e2e681db0e8d8dfea755874aa84f3a",
                    operation='UPDATE OF "site", "language", "captured_at", "sha256"',
                    pgid="pgtrigger_counts_again_735a9",
                    table="annotator_page",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="gold",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN ((to_jsonb(old) - '{current}'::text[]) <> (to_jsonb(new) - '{current}'::text[]))",
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"spans\": [], \"current\": null}'\n    and exists (select from annotator_takedown where page_id = (old.page_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="7dd011578781ef430c2211f074c8210605860f0d",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_6bde8",
                    table="annotator_gold",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="gold",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c5a782e905058f32ce6ed98013d8bb6d75cc9406",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_c38e8",
                    table="annotator_gold",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="gold",
            trigger=pgtrigger.compiler.Trigger(
                name="same_document",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    constraint="CONSTRAINT",
                    declare="DECLARE of_page bigint;",
                    func="of_page := new.page_id;\nif exists (\n    select from annotator_gold g join annotator_page p on p.id = g.page_id\n    where p.id = of_page and g.current and g.document_id is distinct from p.document_id)\nthen\n    raise exception 'the current gold of a page speaks of its current document'\n        using errcode = 'integrity_constraint_violation';\nend if;\nreturn null;\n",
                    hash="e902da93d000c2c4aaf3b6061334f9c03fed361e",
                    operation='INSERT OR UPDATE OF "current"',
                    pgid="pgtrigger_same_document_cbe81",
                    table="annotator_gold",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="gold",
            trigger=pgtrigger.compiler.Trigger(
                name="counts_again",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_pagetocount (page, corpus)\nselect of.page_id, coalesce(p.corpus_id, c.corpus)\nfrom (select new.page_id) as of (page_id)\nleft join annotator_page p on p.id = of.page_id\nleft join annotator_countedpage c on c.page = of.page_id\nwhere coalesce(p.corpus_id, c.corpus) is not null;\n return null;",
                    hash="d4662ab9d3a09275621c4fa400e1b2e8cb3ce3cc",
                    operation='INSERT OR UPDATE OF "current"',
                    pgid="pgtrigger_counts_again_43833",
                    table="annotator_gold",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="gold",
            trigger=pgtrigger.compiler.Trigger(
                name="counts_no_more",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_pagetocount (page, corpus)\nselect of.page_id, coalesce(p.corpus_id, c.corpus)\nfrom (select old.page_id) as of (page_id)\nleft join annotator_page p on p.id = of.page_id\nleft join annotator_countedpage c on c.page = of.page_id\nwhere coalesce(p.corpus_id, c.corpus) is not null;\n return null;",
                    hash="7d1e06716c62bedf3390d1f19ae432891c7ddfa7",
                    operation="DELETE",
                    pgid="pgtrigger_counts_no_more_d02a6",
                    table="annotator_gold",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="extraction",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"spans\": []}'\n    and exists (select from annotator_takedown where page_id = (select page_id from annotator_storeddocument where id = old.document_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="d1a57bc4aeec4632e4c76e24de20ba0fb98bb7b3",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_96ec0",
                    table="annotator_extraction",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="extraction",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."finished_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="886ac8362d3033e15cdf6bbc27cef75497979f78",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_0ea47",
                    table="annotator_extraction",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="annotation",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (old.submitted_at is not null and (\n        new.submitted_at is null or new.submitted_at < old.submitted_at\n        or (old.reopened_at is null and (to_jsonb(old) - '{reopened_at}'::text[]) <> (to_jsonb(new) - '{reopened_at}'::text[]))\n        or (to_jsonb(old) - '{submitted_at,reopened_at,revision,active_seconds}'::text[]) <> (to_jsonb(new) - '{submitted_at,reopened_at,revision,active_seconds}'::text[])))",
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="7b0815e5786c803bbcce3a745c8d324e64adf72e",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_a8137",
                    table="annotator_annotation",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="annotation",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="1604a47b4d99081dc2f25df1c3a274b3fd484ee6",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_f46a7",
                    table="annotator_annotation",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="agreement",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"agreed\": [], \"disputes\": []}'\n    and exists (select from annotator_takedown where page_id = (select page_id from annotator_round where id = old.round_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="30b5c1829fc4ef6dc23b7c8026bc5a34f71d59ba",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_b8ddf",
                    table="annotator_agreement",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="agreement",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="ba34dc3aa3c1de769d1e3f63748e409c8050317d",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_ff9c1",
                    table="annotator_agreement",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="agreement",
            trigger=pgtrigger.compiler.Trigger(
                name="counts_again",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if tg_op <> 'UPDATE' or (old.finished_at is distinct from new.finished_at) then \ninsert into annotator_pagetocount (page, corpus)\nselect of.page_id, coalesce(p.corpus_id, c.corpus)\nfrom (select page_id from annotator_round where id = new.round_id) as of (page_id)\nleft join annotator_page p on p.id = of.page_id\nleft join annotator_countedpage c on c.page = of.page_id\nwhere coalesce(p.corpus_id, c.corpus) is not null;\n end if; return null;",
                    hash="1d1320a8230b8cec00fda54ca5a064a37b964de0",
                    operation="UPDATE",
                    pgid="pgtrigger_counts_again_db436",
                    table="annotator_agreement",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="agreement",
            trigger=pgtrigger.compiler.Trigger(
                name="agreementversion_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_agreementversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select r.page_id from old_rows was join new_rows it on it.id = was.id join annotator_round r on r.id = it.round_id where was.finished_at is distinct from it.finished_at) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="654443440566a5e68d08f70a61b91861cbbca100",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_agreementversion_update_08c9b",
                    referencing="REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ",
                    table="annotator_agreement",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="agreement",
            trigger=pgtrigger.compiler.Trigger(
                name="agreementversion_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_agreementversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select r.page_id from new_rows it join annotator_round r on r.id = it.round_id where it.finished_at is not null) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="e81e75238b6d3dc3c3fd6b3abcb3327ec69f7fe0",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_agreementversion_insert_69979",
                    referencing="REFERENCING NEW TABLE AS new_rows ",
                    table="annotator_agreement",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="agreement",
            trigger=pgtrigger.compiler.Trigger(
                name="agreementversion_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_agreementversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select r.page_id from old_rows it join annotator_round r on r.id = it.round_id where it.finished_at is not null) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="aee5a2b434eae4cdc2c5092267137151baf6963f",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_agreementversion_delete_0118d",
                    referencing="REFERENCING OLD TABLE AS old_rows ",
                    table="annotator_agreement",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="studydesign",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="96dbffb3f1031802ebf3e691a7eb779f387dd1e5",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_ba0ef",
                    table="annotator_studydesign",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="studydesign",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="a3433cc6468e48034f854356523971c6beea0914",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_18277",
                    table="annotator_studydesign",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="round",
            trigger=pgtrigger.compiler.Trigger(
                name="counts_again",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if tg_op <> 'UPDATE' or (old.edition is distinct from new.edition) then \ninsert into annotator_pagetocount (page, corpus)\nselect of.page_id, coalesce(p.corpus_id, c.corpus)\nfrom (select new.page_id) as of (page_id)\nleft join annotator_page p on p.id = of.page_id\nleft join annotator_countedpage c on c.page = of.page_id\nwhere coalesce(p.corpus_id, c.corpus) is not null;\n end if; return null;",
                    hash="8b6a51a86fd963c587d971376dbab67741075ed6",
                    operation='UPDATE OF "edition"',
                    pgid="pgtrigger_counts_again_ecd1b",
                    table="annotator_round",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="round",
            trigger=pgtrigger.compiler.Trigger(
                name="weightsversion_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_weightsversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select it.page_id from old_rows was join new_rows it on it.id = was.id  where was.inclusion_probability is distinct from it.inclusion_probability) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="c9fd116e54c4983a16ff6f389cfba04778792605",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_weightsversion_update_ac330",
                    referencing="REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ",
                    table="annotator_round",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="round",
            trigger=pgtrigger.compiler.Trigger(
                name="weightsversion_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_weightsversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select it.page_id from new_rows it  where it.inclusion_probability is not null) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="90e9f7c02eb9b0fa7c693ff5bc7a1390dba8f3ba",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_weightsversion_insert_333f0",
                    referencing="REFERENCING NEW TABLE AS new_rows ",
                    table="annotator_round",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="round",
            trigger=pgtrigger.compiler.Trigger(
                name="weightsversion_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_weightsversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select it.page_id from old_rows it  where it.inclusion_probability is not null) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="28abad904769bd4a70d0632e971ff9493bc1aa52",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_weightsversion_delete_38a0f",
                    referencing="REFERENCING OLD TABLE AS old_rows ",
                    table="annotator_round",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="round",
            trigger=pgtrigger.compiler.Trigger(
                name="agreementversion_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\ninsert into annotator_agreementversion as v (corpus_id, number)\nselect corpus_id, 1 from (\n    select distinct p.corpus_id from (select it.page_id from old_rows was join new_rows it on it.id = was.id  where was.edition <> it.edition) as changed (page_id)\n    join annotator_page p on p.id = changed.page_id) c\norder by corpus_id\non conflict (corpus_id) do update set number = v.number + 1;\nreturn null;\n",
                    hash="4ba56228115cc8b825e21c478624869f99844d22",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_agreementversion_update_e627f",
                    referencing="REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ",
                    table="annotator_round",
                    when="AFTER",
                ),
            ),
        ),
        AddTrigger(
            model_name="submission",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (old.withdrawn_at is not null or (to_jsonb(old) - '{withdrawn_at}'::text[]) <> (to_jsonb(new) - '{withdrawn_at}'::text[]))",
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="913f59e28a4c8c03f2dab18b51271d4b15faeeb3",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_223ee",
                    table="annotator_submission",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="submission",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c57a8e7a21acd9fddad993cf0f627b3a83b40dbb",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_453d4",
                    table="annotator_submission",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="takedown",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="4c277531e945a370b3a5256af8bb75ef08059b88",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_c0683",
                    table="annotator_takedown",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="takedown",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="d33e03bd79b18fd1379cdf7eaa50cc6496ff0a38",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_b74b5",
                    table="annotator_takedown",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="trainedmodel",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."extractor_id" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="85eee543f1ae41b9dd93b736f97d01e3e750681d",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_93d90",
                    table="annotator_trainedmodel",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="trainedmodel",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."extractor_id" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="be5c8a9cfa951a299b3d0c959b6d315e51c0cc2e",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_5dda1",
                    table="annotator_trainedmodel",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="unblinded",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="242547901abcd7db04ea25ed66afa83de11fcbaa",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_79470",
                    table="annotator_unblinded",
                    when="BEFORE",
                ),
            ),
        ),
        AddTrigger(
            model_name="unblinded",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="11d8d318ae1cca8604f663d6a8438be2eccf55d7",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_50792",
                    table="annotator_unblinded",
                    when="BEFORE",
                ),
            ),
        ),
    ]
