import type pg from 'pg';

/** Has the next transaction that stores usage of the tenant's model calls fail when it commits; those after it do not. */
export async function failUsageCommit(superuser: pg.Client, tenantId: string): Promise<void> {
  // A sequence keeps its number when the transaction is rolled back.
  await superuser.query(`CREATE SEQUENCE public.usage_commits;
    CREATE FUNCTION public.fail_first() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      IF nextval('public.usage_commits') = 1 THEN RAISE 'the commit fails'; END IF;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER fail_first AFTER INSERT ON memory.outbox DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN (NEW.tenant_id = '${tenantId}' AND NEW.subject LIKE 'cairn.event.usage.llm.%')
      EXECUTE FUNCTION public.fail_first();`);
}
