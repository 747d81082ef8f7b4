import { join } from 'node:path';
import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

const SHIPPED_PLANS = join(import.meta.dirname, '..', '..', '..', 'config', 'plans.json');

export const variables = {
  ...serviceVariables,
  plansFile: variable(
    'CAIRN_PLANS_FILE',
    z.string().default(SHIPPED_PLANS),
    'The plans and their limits. Default: config/plans.json.',
  ),
};

export type Config = ConfigOf<typeof variables>;
