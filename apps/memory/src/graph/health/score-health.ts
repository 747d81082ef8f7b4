import type { ResponseOf, getMemoryHealth, HEALTH_PARTS } from '@cairn/contracts';
import { type HealthFigures, STALE_DAYS } from './measure-health.ts';

type PartName = (typeof HEALTH_PARTS)[number];
type Parts = ResponseOf<typeof getMemoryHealth>['parts'];

export interface HealthScore {
  /** 0 to 100: the parts by their weights. */
  score: number;
  parts: Parts;
}

interface Measure {
  weight: number;
  /** Share of what is wrong at which the part's score is 50. */
  halfAt: number;
  share: (figures: HealthFigures) => number;
  affected: (figures: HealthFigures) => number;
  advice: string;
}

const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

/** Weights sum to 1. A part is 100 when nothing is wrong, and each further case lowers it, however many there are. */
const MEASURES: Readonly<Record<PartName, Measure>> = {
  freshness: {
    weight: 0.15,
    halfAt: 0.5,
    share: (figures) => shareOf(figures.stale, figures.completed),
    affected: (figures) => figures.stale,
    advice: `Documents are older than ${STALE_DAYS} days: replace them with newer versions, or delete what no longer holds.`,
  },
  coverage: {
    weight: 0.2,
    halfAt: 0.5,
    share: (figures) => shareOf(figures.uncovered, figures.completed),
    affected: (figures) => figures.uncovered,
    advice:
      'Documents name nobody and nothing that the graph could link: give them titles, or configure a model for extraction.',
  },
  contradictions: {
    weight: 0.25,
    halfAt: 0.1,
    share: (figures) => shareOf(figures.openContradictions, Math.max(figures.completed, 1)),
    affected: (figures) => figures.openContradictions,
    advice: 'Documents disagree: resolve the open contradictions, or correct the documents.',
  },
  orphans: {
    weight: 0.1,
    halfAt: 0.5,
    share: (figures) => shareOf(figures.orphans, figures.entities),
    affected: (figures) => figures.orphans,
    advice: 'Entities are connected to nothing: add documents that say how they belong to the rest.',
  },
  failed_ingests: {
    weight: 0.2,
    halfAt: 0.1,
    share: (figures) => shareOf(figures.failed, figures.documents),
    affected: (figures) => figures.failed,
    advice: 'Documents could not be read: the failed ones say why; send them again, or delete them.',
  },
  review_backlog: {
    weight: 0.1,
    halfAt: 0.05,
    share: (figures) =>
      shareOf(figures.openReviews + figures.openRoutes, Math.max(figures.entities + figures.documents, 1)),
    affected: (figures) => figures.openReviews + figures.openRoutes,
    advice: 'Decisions wait for a person: whether two names mean the same, and which space a document belongs to.',
  },
};

/** The score of what was counted. An empty memory is healthy: nothing in it is wrong. */
export function scoreHealth(figures: HealthFigures): HealthScore {
  let score = 0;
  const parts = {} as Parts;
  for (const [name, measure] of Object.entries(MEASURES) as [PartName, Measure][]) {
    const value = measure.share(figures);
    const part = (100 * measure.halfAt) / (measure.halfAt + value);
    const affected = measure.affected(figures);
    score += measure.weight * part;
    parts[name] = {
      score: round(part),
      weight: measure.weight,
      value: round(value),
      affected,
      advice: affected === 0 ? '' : `${affected} ${affected === 1 ? 'case' : 'cases'}. ${measure.advice}`,
    };
  }
  return { score: round(score), parts };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
