import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { api, type ApiAnswer } from './api.ts';

interface Responses {
  [status: string]: { content?: { 'application/json'?: { schema?: unknown } } };
}

interface OpenApi {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: unknown;
}

export type ConformanceCheckedCall = (
  method: string,
  path: string,
  body?: unknown,
  options?: { key?: string; headers?: Record<string, string>; baseUrl?: string },
) => Promise<ApiAnswer>;

const DOCUMENT = 'https://cairn.example/openapi.json';

/**
 * A client that checks every answer against the installation's own OpenAPI document: the status is one the operation
 * has, and the body has exactly the fields and types it names. What does not conform fails the spec.
 */
export async function conformanceCheckedApi(installation: {
  baseUrl: string;
  apiKey: string;
}): Promise<ConformanceCheckedCall> {
  const { body: document } = await api(installation.baseUrl, null, 'GET', '/openapi.json');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: DOCUMENT, ...(document as OpenApi) });
  const validators = new Map<string, ValidateFunction>();
  const operations = Object.entries((document as OpenApi).paths).flatMap(([template, item]) =>
    Object.keys(item).map((method) => ({
      method: method.toUpperCase(),
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
      responses: item[method]!.responses,
    })),
  );
  const validatorOf = (template: string, method: string, status: string) => {
    const pointer = ['paths', template, method.toLowerCase(), 'responses', status, 'content', 'application/json']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const validate = ajv.compile({ $ref: `${DOCUMENT}#/${pointer}/schema` });
    validators.set(pointer, validate);
    return validate;
  };
  return async (method, path, body, options = {}) => {
    const { key = installation.apiKey, headers = {}, baseUrl = installation.baseUrl } = options;
    const answer = await api(baseUrl, key, method, path, body, headers);
    const bare = path.split('?', 1)[0]!;
    const operation = operations.find((candidate) => candidate.method === method && candidate.pattern.test(bare));
    if (operation === undefined) throw new Error(`${method} ${path} is not in the OpenAPI document`);
    const status = answer.status < 400 ? String(answer.status) : 'default';
    if (operation.responses[status] === undefined) throw new Error(`${method} ${path} answered ${answer.status}`);
    const validate = validatorOf(operation.template, method, status);
    if (!validate(answer.body))
      throw new Error(`${method} ${path}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(answer.body)}`);
    return answer;
  };
}
