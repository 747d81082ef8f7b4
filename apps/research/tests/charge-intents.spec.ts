import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeState, decodeEvent, newId } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

const RESEARCH = '/api/v1/search/research/start';
const question = { query: 'What does Lantern cost?', config: { sources: ['memory'] } };

let research: ResearchHarness;
beforeAll(async () => {
  research = await startResearchHarness();
});
afterAll(() => research.close());

const intents = () => research.ask<{ run_id: string }>('SELECT run_id FROM charge_intents');
const start = (headers: Record<string, string> = {}) => research.call('POST', RESEARCH, question, { headers });
const requestsOf = (runId: string) => research.stubs.charges.get(runId)?.requests;

/** Declares the charge of a start that will never go on. */
async function killedStart({ reserved, seconds }: { reserved: boolean; seconds: number }): Promise<string> {
  const runId = newId('thread');
  if (reserved)
    research.stubs.charges.set(runId, { charge: 'research.run', state: ChargeState.RESERVED, requests: ['reserve'] });
  await research.ask(
    `INSERT INTO charge_intents (tenant_id, run_id, declared_at) VALUES ($1, $2, now() - make_interval(secs => $3))`,
    [research.caller.tenantId, runId, seconds],
  );
  return runId;
}

describe('what a start reserves', () => {
  it('belongs to its run once the run is committed', async () => {
    const started = await start();
    expect(await intents()).toEqual([]);
    await research.until(started.body.thread_id, 'completed');
    await eventually(() => requestsOf(started.body.thread_id)?.includes('settle') === true);
    expect(requestsOf(started.body.thread_id)).toEqual(['reserve', 'settle']);
  });

  it('is settled when the run ends more than a week later, after an outage', async () => {
    research.stubs.outage.ms = 8 * 86_400_000;
    const { body } = await start();
    await eventually(() => requestsOf(body.thread_id)?.includes('settle') === true, Boolean, 60_000);
    research.stubs.outage.ms = 0;
    expect(research.stubs.charges.get(body.thread_id)?.state).toBe(ChargeState.SETTLED);
  }, 90_000);

  it('is released at once when the run cannot be committed', async () => {
    const before = new Set(research.stubs.charges.keys());
    await research.ask(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON research_runs EXECUTE FUNCTION refuse();`,
    );
    expect((await start()).status).toBe(500);
    await research.ask('DROP TRIGGER refuse ON research_runs');
    const [runId] = [...research.stubs.charges.keys()].filter((id) => !before.has(id));
    expect(requestsOf(runId!)).toEqual(['reserve', 'release']);
    expect(await intents()).toEqual([]);
  });

  it('is not reserved again by a replay, which leaves nothing behind', async () => {
    const headers = { 'idempotency-key': 'again' };
    const [first, second] = [await start(headers), await start(headers)];
    expect(second.body.thread_id).toBe(first.body.thread_id);
    expect(await intents()).toEqual([]);
  });

  it('is released when the process was killed between reservation and commit, and when it had reserved nothing', async () => {
    const killed = await killedStart({ reserved: true, seconds: 61 });
    await killedStart({ reserved: false, seconds: 61 });
    await eventually(async () => (await intents()).length === 0);
    expect(requestsOf(killed)).toEqual(['reserve', 'release']);
  });

  it('is left alone while the start may still go on', async () => {
    const slow = await killedStart({ reserved: true, seconds: 0 });
    const killed = await killedStart({ reserved: true, seconds: 61 });
    await eventually(() => requestsOf(killed)?.includes('release') === true);
    expect(requestsOf(slow)).toEqual(['reserve']);
  });

  it('is not charged to a run whose start was given up: the start is refused', async () => {
    await research.ask(
      `CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM charge_intents; RETURN NEW; END $$;
       CREATE TRIGGER give_up BEFORE INSERT ON research_runs FOR EACH ROW EXECUTE FUNCTION give_up();`,
    );
    const refused = await start();
    await research.ask('DROP TRIGGER give_up ON research_runs');
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
  });
});

describe('the audit log', () => {
  const records = async () =>
    (await research.ask<{ payload: Buffer }>('SELECT payload FROM outbox')).filter(
      ({ payload }) => decodeEvent(payload).payload.case === 'auditRecorded',
    ).length;

  it('has one record of a start, however often it is repeated', async () => {
    const before = await records();
    const headers = { 'idempotency-key': 'audited' };
    const [first, second] = [await start(headers), await start(headers)];
    expect(second.body.thread_id).toBe(first.body.thread_id);
    expect((await records()) - before).toBe(1);
  });

  it('has none of a start that is refused', async () => {
    const before = await records();
    research.stubs.credit.left = false;
    const refused = await start();
    research.stubs.credit.left = true;
    expect(refused.body.code).toBe('insufficient_credits');
    expect(await records()).toBe(before);
  });
});
