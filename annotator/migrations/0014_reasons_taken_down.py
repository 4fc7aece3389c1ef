"""Why gold is looked at again may quote the page, so a takedown blanks it too."""

from django.db import migrations

BEFORE = """
create or replace function goldpan_page_of(kind text, held jsonb) returns bigint language sql stable as $$
    select case kind
        when 'annotator_gold' then (held ->> 'page_id')::bigint
        when 'annotator_extraction' then
            (select page_id from annotator_document where id = (held ->> 'document_id')::bigint)
        when 'annotator_releasepage' then
            (select page_id from annotator_gold where id = (held ->> 'gold_id')::bigint)
        else
            (select r.page_id from annotator_annotation a
                join annotator_slot s on s.id = a.slot_id join annotator_round r on r.id = s.round_id
                where a.id = (held ->> 'annotation_id')::bigint)
        end
$$;
create or replace function goldpan_history() returns trigger language plpgsql as $$
declare
    blank jsonb := case tg_table_name
        when 'annotator_revision' then '{"spans": [], "note": ""}'
        when 'annotator_refusedsave' then '{"spans": [], "note": ""}'
        when 'annotator_gold' then '{"spans": [], "current": null}'
        when 'annotator_extraction' then '{"spans": []}'
        when 'annotator_releasepage' then '{"facts": {}}'
    end;
begin
    if tg_op = 'UPDATE' and blank is not null then
        if to_jsonb(new) = to_jsonb(old) || blank and exists (
            select 1 from annotator_takedown where page_id = goldpan_page_of(tg_table_name, to_jsonb(old)))
        then
            return new;
        end if;
    end if;
    raise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name
        using errcode = 'integrity_constraint_violation',
              hint = 'Write a new row; submitted, settled and finished rows stay as they are.';
end $$;
"""
AFTER = """
create or replace function goldpan_page_of(kind text, held jsonb) returns bigint language sql stable as $$
    select case kind
        when 'annotator_gold' then (held ->> 'page_id')::bigint
        when 'annotator_extraction' then
            (select page_id from annotator_document where id = (held ->> 'document_id')::bigint)
        when 'annotator_adjudication' then
            (select page_id from annotator_round where id = (held ->> 'round_id')::bigint)
        when 'annotator_releasepage' then
            (select page_id from annotator_gold where id = (held ->> 'gold_id')::bigint)
        else
            (select r.page_id from annotator_annotation a
                join annotator_slot s on s.id = a.slot_id join annotator_round r on r.id = s.round_id
                where a.id = (held ->> 'annotation_id')::bigint)
        end
$$;
create or replace function goldpan_history() returns trigger language plpgsql as $$
declare
    blank jsonb := case tg_table_name
        when 'annotator_revision' then '{"spans": [], "note": ""}'
        when 'annotator_refusedsave' then '{"spans": [], "note": ""}'
        when 'annotator_gold' then '{"spans": [], "current": null}'
        when 'annotator_extraction' then '{"spans": []}'
        when 'annotator_releasepage' then '{"facts": {}}'
        when 'annotator_adjudication' then '{"why": "taken down"}'
    end;
begin
    if tg_op = 'UPDATE' and blank is not null then
        if to_jsonb(new) = to_jsonb(old) || blank and exists (
            select 1 from annotator_takedown where page_id = goldpan_page_of(tg_table_name, to_jsonb(old)))
        then
            return new;
        end if;
    end if;
    raise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name
        using errcode = 'integrity_constraint_violation',
              hint = 'Write a new row; submitted, settled and finished rows stay as they are.';
end $$;
"""


class Migration(migrations.Migration):
    dependencies = [("annotator", "0013_control")]
    operations = [migrations.RunSQL(AFTER, BEFORE)]
