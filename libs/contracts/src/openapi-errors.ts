import { ERROR_CODES, type ErrorCode } from '@cairn/errors';
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { errorsOf, isGuarded, type Operation } from './operation.ts';

const Problem = z
  .object({
    type: z.string().meta({ description: 'The address of the page about the error, at the gateway’s host.' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string().meta({ description: 'One of the codes of `/docs/errors`; stable.' }),
    request_id: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    upgrade: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details.' });

const OAuthError = z
  .object({ error: z.string(), error_description: z.string().optional() })
  .meta({ id: 'OAuthError', description: 'RFC 6749, section 5.2.' });

type Responses = Record<string, ZodOpenApiResponseObject>;

const OAUTH_ERRORS: Responses = {
  '400': answerWith(OAuthError, 'The request is malformed, or its grant or scope is not accepted.'),
  '401': answerWith(OAuthError, 'The client is unknown, revoked, or sent a wrong secret.'),
  '429': answerWith(OAuthError, 'Too many requests from this address; see `retry-after`.'),
  '503': answerWith(OAuthError, 'Temporarily unavailable; see `retry-after`.'),
};

/** What the operation is answered with when it fails, by status, and `default` for what nobody foresaw. */
export function errorResponsesOf(operation: Operation): Responses {
  const isOAuth = !isGuarded(operation) && operation.speaks === 'oauth';
  return {
    ...(isOAuth ? OAUTH_ERRORS : problemsOf(operation)),
    default: answerWith(isOAuth ? OAuthError : Problem, 'An error'),
  };
}

/** One response for each status, which names the codes that it may carry. */
function problemsOf(operation: Operation): Responses {
  const codes = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = ERROR_CODES[code];
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  return Object.fromEntries([...codes].map(([status, of]) => [`${status}`, sharedProblem(of.toSorted())]));
}

const problems = new Map<string, ZodOpenApiResponseObject>();

/** The same response for the same codes, which the document then holds once, under their names. */
function sharedProblem(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const id = codes.map(pascal).join('Or');
  const known = problems.get(id);
  if (known !== undefined) return known;
  const words = codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(' ');
  const response = { ...answerWith(Problem, words), id };
  problems.set(id, response);
  return response;
}

function answerWith(schema: z.ZodType, description: string): ZodOpenApiResponseObject {
  return { description, content: { 'application/json': { schema } } };
}

function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
