import { readFile } from 'node:fs/promises';
import { encodeEvent, newId } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { appendToOutbox } from '@cairn/postgres';
import { createKeyRing } from '@cairn/encryption';
import { ingested, type Environment, WORKSPACE } from './webhooks-harness.ts';

/** A webhook for ingested documents, written without the service; returns its id. */
export async function registerDirectly(environment: Environment, tenant: Identity, url: string): Promise<string> {
  const id = newId('webhook');
  const { keys } = JSON.parse(await readFile(environment.config.keyEncryptionKeysFile, 'utf8'));
  const sealed = await (await createKeyRing(keys)).encrypt(`webhook ${id}`, 'whsec_c2VjcmV0');
  await environment.ask(
    `INSERT INTO webhooks (tenant_id, webhook_id, url, events, description, active, auto_replay, livemode, secret_sealed)
     VALUES ($1, $2, $3, '{memory.ingest.completed}', '', true, false, true, $4)`,
    [tenant.tenantId, id, url, sealed],
  );
  return id;
}

/** What a service does whose event it is: the event commits with what made it true. Returns the event's id. */
export async function commitEvent(environment: Environment, tenant: Identity): Promise<string> {
  const event = encodeEvent(
    'ingestCompleted',
    { tenantId: tenant.tenantId, livemode: true, workspaceId: WORKSPACE, memoryId: newId('memory') },
    ingested(),
  );
  await environment.database.worker.transaction((tx) => appendToOutbox(tx, event));
  return event.eventId;
}
