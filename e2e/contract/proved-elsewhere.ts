import type { RowId } from './contract.ts';

interface Proof {
  file: string;
  /** A part of the spec’s name. */
  spec: string;
}

/** Rows whose proof needs more than a user has: a process that is killed, a clock, a file of the installation. */
export const PROVED_ELSEWHERE: Readonly<Partial<Record<RowId, Proof>>> = {
};
