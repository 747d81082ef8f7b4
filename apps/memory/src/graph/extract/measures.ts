/** What a unit measures and how many of the dimension's own units one of it is. */
interface Measure {
  dimension: string;
  factor: number;
}

/** Forms as values have them: lower case, without an ending in s. Units that differ only in case are not here. */
const DIMENSIONS: Readonly<Record<string, readonly (readonly [factor: number, forms: string])[]>> = {
  length: [
    [0.001, 'mm millimetre millimeter'],
    [0.01, 'cm centimetre centimeter'],
    [1, 'm metre meter'],
    [1_000, 'km kilometre kilometer'],
    [0.0254, 'inch inche'],
    [0.3048, 'ft foot feet'],
    [0.9144, 'yd yard'],
    [1_609.344, 'mi mile'],
  ],
  mass: [
    [0.001, 'mg milligram'],
    [1, 'g gram gramme'],
    [1_000, 'kg kilogram kilo kilogramme'],
    [1_000_000, 'tonne'],
    [28.3495, 'oz ounce'],
    [453.592, 'lb lbs'],
  ],
  area: [
    [1, 'm²'],
    [10_000, 'ha hectare'],
    [4_046.856, 'acre'],
    [1_000_000, 'km²'],
  ],
  volume: [
    [0.001, 'ml millilitre milliliter'],
    [1, 'l litre liter'],
    [1_000, 'm³'],
  ],
  speed: [
    [1, 'km/h kph'],
    [1.609344, 'mph'],
  ],
  frequency: [
    [1, 'hz hertz'],
    [1_000, 'khz kilohertz'],
    [1_000_000, 'mhz megahertz'],
    [1_000_000_000, 'ghz gigahertz'],
  ],
};

const MEASURES: ReadonlyMap<string, Measure> = new Map(
  Object.entries(DIMENSIONS).flatMap(([dimension, units]) =>
    units.flatMap(([factor, forms]) => forms.split(' ').map((form) => [form, { dimension, factor }] as const)),
  ),
);

/**
 * Factors that make amounts in two units comparable; null when the units measure different things. A unit that is not
 * known measures itself.
 */
export function commonMeasure(a: string, b: string): [a: number, b: number] | null {
  if (a === b) return [1, 1];
  const [one, other] = [MEASURES.get(a), MEASURES.get(b)];
  if (one === undefined || other === undefined || one.dimension !== other.dimension) return null;
  return [one.factor, other.factor];
}
