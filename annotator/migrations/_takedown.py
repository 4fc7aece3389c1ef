"""The functions that let a page that must go be blanked, and nothing else (law 7), for the migrations that
write them."""

_FUNCTIONS = """
CREATE function goldpan_page_of(kind text, held jsonb) returns bigint language sql stable as $$
    select case kind
        when 'annotator_gold' then (held ->> 'page_id')::bigint
        when 'annotator_extraction' then
            (select page_id from annotator_document where id = (held ->> 'document_id')::bigint)
PAGE_OF        when 'annotator_releasepage' then
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
BLANK    end;
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


def functions(*, create: str = "create or replace", page_of: str = "", blank: str = "") -> str:
    """The SQL; `page_of` and `blank` are more of the cases by table."""
    return _FUNCTIONS.replace("CREATE", create).replace("PAGE_OF", page_of).replace("BLANK", blank)
