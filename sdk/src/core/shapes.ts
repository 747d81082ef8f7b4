import type { RunEvent, RunStatus } from '../gen/schemas.ts';

/** What can be said about one call. */
export interface RequestOptions {
  /** Ends the call; it is thrown as the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds for each attempt until the answer begins. Default: the client's. */
  timeoutMs?: number;
  /** Attempts after the first. Default: the client's. */
  maxRetries?: number;
  /** Makes a call that creates something safe to repeat. Default: one is made for each call. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

/** A file to send: a `File` or `Blob`, or its name and content. */
export type FileInput = Blob | { name: string; content: string | Uint8Array<ArrayBuffer> | Blob; type?: string };

/**
 * A list by pages. Awaited, it is its first page as the API gives it; iterated, it is every row of every page.
 *
 *     const { documents } = await cairn.documents.list();
 *     for await (const document of cairn.documents.list()) …
 */
export interface Pages<Item, Page> extends PromiseLike<Page>, AsyncIterable<Item> {
  /** Page by page. */
  pages(): AsyncIterableIterator<Page>;
  /** All rows at once; at most `limit` when it is given. */
  all(limit?: number): Promise<Item[]>;
}

/** A list whose pages are numbered; it is used like `Pages`. */
export type NumberedPages<Item, Page> = Pages<Item, Page>;

/**
 * Server-sent events. The request is made when the iteration begins; whoever leaves the loop, or calls `abort`, ends
 * the work behind it.
 */
export interface EventStream<Event> extends AsyncIterable<Event> {
  abort(): void;
}

/** A WebSocket, open. */
export type Connection = WebSocket;

/** What started a run can also follow it. */
export interface RunHandle {
  /** Every event of the run, from the first one or after `after`. It reconnects by itself and ends with the run. */
  events(options?: FollowOptions): AsyncIterableIterator<RunEvent>;
  /** How the run stands once it has ended. */
  result(options?: RequestOptions): Promise<RunStatus>;
}

export interface FollowOptions extends RequestOptions {
  /** `seq` of the last event that was seen. */
  after?: number;
}
