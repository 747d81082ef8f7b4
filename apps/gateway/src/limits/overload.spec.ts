import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { createOverloadControl, type OverloadControl } from './overload.ts';

const TICK_MS = 20;

let control: OverloadControl;
let clockMs: number;

beforeEach(() => {
  jest.useFakeTimers();
  clockMs = 0;
  control = createOverloadControl({ lateFromMs: 20, nowMs: () => clockMs });
});
afterEach(() => {
  control.close();
  jest.useRealTimers();
});

/** Lets time pass on an event loop whose every tick is late by so much. */
function pass(ms: number, lateMs: number): void {
  for (let left = ms; left > 0; left -= TICK_MS + lateMs) {
    clockMs += TICK_MS + lateMs;
    jest.advanceTimersByTime(TICK_MS);
  }
}

/** Begins requests of a tenant that stay under way; returns how to end them. */
function begin(tenantId: string, count: number): () => void {
  const responses = Array.from({ length: count }, () => new EventEmitter());
  for (const response of responses) control.begin(tenantId, response);
  return () => responses.forEach((response) => response.emit('close'));
}

describe('overload control', () => {
  it('refuses the tenant that occupies most, and no other, while the event loop is late', () => {
    begin('modest', 2);
    begin('greedy', 12);
    pass(2_000, 60);
    expect(() => begin('greedy', 1)).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 }));
    begin('modest', 1);
    begin('new', 1);
  });

  it('refuses nobody while the event loop keeps its time', () => {
    begin('modest', 2);
    begin('greedy', 12);
    pass(2_000, 2);
    begin('greedy', 5);
  });

  it('refuses nothing to a tenant that is alone', () => {
    const end = begin('early', 3);
    end();
    pass(20_000, 60);
    begin('alone', 12);
    pass(2_000, 60);
    begin('alone', 12);
  });

  it('admits a refused tenant when it occupies no more than the next one', () => {
    begin('modest', 2);
    const end = begin('greedy', 12);
    pass(2_000, 60);
    expect(() => begin('greedy', 1)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    end();
    begin('modest', 2);
    pass(4_000, 60);
    begin('greedy', 1);
  });

  it('counts no request for longer than five seconds, as when it waits for a model', () => {
    begin('waiting', 12);
    pass(1_000, 60);
    jest.advanceTimersByTime(5_000);
    clockMs += 5_000;
    begin('modest', 2);
    pass(15_000, 60);
    begin('modest', 2);
    pass(1_000, 60);
    begin('waiting', 1);
  });

  it('is switched off by 0', () => {
    control.close();
    control = createOverloadControl({ lateFromMs: 0, nowMs: () => clockMs });
    begin('modest', 1);
    begin('greedy', 12);
    pass(2_000, 500);
    begin('greedy', 12);
  });
});
