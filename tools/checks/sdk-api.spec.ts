import { describe, expect, it } from '@jest/globals';
import { readApi } from '../release/sdk/api-model.ts';
import type { ApiModel, Call, Schema } from '../release/sdk/api-model.ts';
import { breakingChanges } from '../release/sdk/breaking-changes.ts';
import { releaseProblems, withoutDescriptions } from './sdk-api.ts';

const API = withoutDescriptions(readApi());

/** The present API with one thing changed. */
function changed(change: (api: ApiModel, call: (name: string) => Call) => void): ApiModel {
  const api = structuredClone(API);
  change(api, (name) => api.calls.find((call) => call.name === name)!);
  return api;
}

const schemaOf = (api: ApiModel, name: string) => api.schemas[name]! as Schema & { properties: Record<string, Schema> };

describe('a program that was written against the last release', () => {
  it('finds the same API as it is', () => {
    expect(breakingChanges(API, API)).toEqual([]);
  });

  it.each<[string, Parameters<typeof changed>[0], string]>([
    [
      'a call',
      (api) => (api.calls = api.calls.filter(({ name }) => name !== 'documents.get')),
      'documents.get is gone',
    ],
    ['a name in the path', (_api, call) => (call('documents.get').params = []), 'documents.get takes (), not (doc_id)'],
    ['a field that is received', (api) => delete schemaOf(api, 'Document').properties['title'], '.title is gone'],
    [
      'the type of a field',
      (api) => (schemaOf(api, 'Document').properties['title'] = { type: 'integer' }),
      '.title is integer, not',
    ],
    ['whether a field is there', (api) => (schemaOf(api, 'Document').required = []), '.doc_id may be missing now'],
    [
      'a null that there was not',
      (api) => (schemaOf(api, 'Document').properties['doc_id'] = { type: ['string', 'null'] }),
      '.doc_id is null | string, not string',
    ],
    [
      'a word that is taken',
      (api) => {
        const { type } = schemaOf(api, 'CreateApiKeyRequest').properties as { type: Schema };
        type.enum = type.enum!.filter((word) => word !== 'ephemeral');
      },
      'keys.create(…).type is',
    ],
    [
      'a field that must be sent',
      (api) => {
        const request = schemaOf(api, 'CreateApiKeyRequest');
        request.properties['purpose'] = { type: 'string' };
        request.required = [...request.required!, 'purpose'];
      },
      'keys.create(…).purpose must be sent now',
    ],
    [
      'what a parameter of the query is',
      (_api, call) => (call('documents.list').query.find(({ name }) => name === 'limit')!.schema = { type: 'string' }),
      'documents.list(…).limit is string, not integer',
    ],
    ['what comes back', (_api, call) => (call('documents.list').answer = { kind: 'file' }), 'answers with a file'],
    [
      'an event of a stream',
      (_api, call) => {
        const { answer } = call('search.stream');
        if (answer.kind === 'stream') answer.events = answer.events.slice(1);
      },
      'search.stream → the event',
    ],
  ])('is told of the loss or change of %s', (_what, change, told) => {
    const broken = breakingChanges(API, changed(change));
    expect(broken.join('\n')).toContain(told);
  });

  it('is not disturbed by what is added: calls, fields, words that come back, and what may be sent', () => {
    const more = changed((api, call) => {
      api.calls.push({ ...call('documents.get'), name: 'documents.getTwice' });
      schemaOf(api, 'Document').properties['colour'] = { type: 'string' };
      schemaOf(api, 'CreateApiKeyRequest').properties['purpose'] = { type: 'string' };
      call('documents.list').query.push({ name: 'colour', schema: { type: 'string' }, required: false });
      const { status } = schemaOf(api, 'Document').properties as { status: Schema };
      status.enum = [...status.enum!, 'resting'];
    });
    expect(breakingChanges(API, more)).toEqual([]);
  });
});

it('a breaking change is for the next major version, or the next minor one before 1.0', () => {
  const next = changed((api) => (api.calls = api.calls.slice(1)));
  const allowed = (from: string, to: string) => releaseProblems({ version: from, api: API }, next, to).length === 0;
  expect([allowed('0.1.0', '0.1.1'), allowed('0.1.0', '0.2.0'), allowed('0.9.0', '1.0.0')]).toEqual([
    false,
    true,
    true,
  ]);
  expect([allowed('1.0.0', '1.1.0'), allowed('1.0.0', '2.0.0'), allowed('1.0.0', '1.0.0')]).toEqual([
    false,
    true,
    false,
  ]);
});
