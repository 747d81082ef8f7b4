import type { UploadedFile, UploadShape } from '@cairn/contracts';
import { CairnError, type FieldError, validationFailed } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import { fairSlots, refusedSlot } from '@cairn/workers';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request, RequestHandler } from 'express';

/** What came as multipart/form-data, before its fields are validated. */
export interface UploadedForm {
  file: UploadedFile;
  fields: Record<string, string>;
}

const FIELDS_MAX = 32;
const FIELD_MAX_BYTES = 128 * 1_024;
const FILE_NAME_MAX_CHARS = 255;
/** Files held in memory at a time; who comes later waits, and its bytes with it, at the network's other end. */
const UPLOADS_AT_ONCE_MAX = 6;
/** One tenant that sends slowly leaves half to the others, which are served in turn. */
const TENANT_UPLOADS_AT_ONCE_MAX = 3;
const UPLOADS_WAITING_MAX = 1_000;

const places = fairSlots({
  seats: UPLOADS_AT_ONCE_MAX,
  perTenantMax: TENANT_UPLOADS_AT_ONCE_MAX,
  waitingMax: UPLOADS_WAITING_MAX,
  full: refusedSlot,
});

/** Reads the one file and the fields of a form into `response.locals.upload`. */
export function uploadReader(shape: UploadShape): RequestHandler {
  return (request, response, next) => {
    const { tenantId } = response.locals['identity'] as Identity;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const read = async () => {
      const leave = await places.take(tenantId, gone.signal);
      // The file is held until it was answered.
      if (response.closed) leave();
      else response.once('close', () => leave());
      response.locals['upload'] = await readForm(request, shape);
    };
    read().then(() => next(), next);
  };
}

function readForm(request: Request, shape: UploadShape): Promise<UploadedForm> {
  return new Promise<UploadedForm>((resolve, reject) => {
    const errors: FieldError[] = [];
    const fields: Record<string, string> = Object.create(null) as Record<string, string>;
    let file: UploadedFile | undefined;
    const form = startForm(request, shape);
    const fail = (error: unknown) => {
      request.unpipe(form);
      form.removeAllListeners();
      form.on('error', () => undefined);
      request.resume();
      reject(error as Error);
    };
    form.on('file', (name, stream, fileName, _encoding, mediaType) => {
      if (name !== 'file' || file !== undefined) {
        errors.push({ path: name, message: file === undefined ? 'unknown field' : 'is duplicated' });
        stream.resume();
        return;
      }
      const received: UploadedFile = {
        name: (fileName ?? '').slice(0, FILE_NAME_MAX_CHARS).toWellFormed(),
        mediaType,
        bytes: Buffer.alloc(0),
      };
      file = received;
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('error', (error) => fail(malformed(error)));
      stream.on('limit', () => fail(tooLarge(shape.fileMaxBytes)));
      stream.on('end', () => {
        received.bytes = Buffer.concat(parts);
      });
    });
    form.on('field', (name, value, nameTruncated, valueTruncated) => {
      if (nameTruncated || valueTruncated) errors.push({ path: name, message: 'is too long' });
      else if (Object.hasOwn(fields, name)) errors.push({ path: name, message: 'is duplicated' });
      else fields[name] = value;
    });
    form.on('fieldsLimit', () => errors.push({ path: '', message: `has more than ${FIELDS_MAX} fields` }));
    form.on('error', (error) => fail(malformed(error)));
    request.once('aborted', () => fail(malformed()));
    form.on('finish', () => {
      if (file === undefined) errors.push({ path: 'file', message: 'is required' });
      if (file === undefined || errors.length > 0) fail(validationFailed(errors));
      else resolve({ file, fields });
    });
    request.pipe(form);
  });
}

function startForm(request: Request, shape: UploadShape): BusboyInstance {
  const { 'content-type': contentType = '' } = request.headers;
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: {
        fields: FIELDS_MAX,
        fieldSize: FIELD_MAX_BYTES,
        fieldNameSize: 100,
        files: 2,
        fileSize: shape.fileMaxBytes,
        parts: FIELDS_MAX + 2,
        headerPairs: 100,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause?: unknown): CairnError {
  return new CairnError('malformed_request', 'The form was truncated, or is not multipart/form-data.', {
    cause,
  });
}

function tooLarge(maxBytes: number): CairnError {
  return new CairnError('payload_too_large', `The file is larger than the ${maxBytes} bytes this operation takes.`);
}
