import { beforeAll, describe, expect, it } from '@jest/globals';
import { environmentOf, readServiceVariables, type ServiceVariables } from './service-variables.ts';

let services: ServiceVariables;
beforeAll(async () => {
  services = await readServiceVariables();
});

describe('the environment of a service', () => {
  it('has every variable that the service documents, and those of the system', () => {
    const given = { PATH: '/bin', CAIRN_WEBHOOK_CONCURRENCY: '9', CAIRN_LOG_LEVEL: 'warn' };
    expect(environmentOf(services.get('webhooks')!, given)).toEqual(given);
  });

  it('has no secret that another service reads, and nothing that is not Cairn’s', () => {
    const given = { CAIRN_WEB_SEARCH_KEY: 'secret', CAIRN_MODELS_FILE: 'models.json', AWS_SECRET_ACCESS_KEY: 'secret' };
    expect(environmentOf(services.get('webhooks')!, given)).toEqual({});
    expect(environmentOf(services.get('memory')!, given)).toEqual({ CAIRN_MODELS_FILE: 'models.json' });
    expect(Object.keys(environmentOf(services.get('research')!, given))).toContain('CAIRN_WEB_SEARCH_KEY');
  });
});
