/** One axis: what it shows with its unit, and whether equal distances mean equal ratios. */
interface ChartAxis {
  label: string;
  log?: boolean;
}

/** Points as `[x, y]`; those that a logarithmic axis cannot show are left out. */
export interface ChartSeries {
  name: string;
  points: readonly (readonly [number, number])[];
  dashed?: boolean;
  /** Place in the palette; series of one subject share it. Default: the series' own place. */
  color?: number;
}

interface LineChart {
  title: string;
  x: ChartAxis;
  y: ChartAxis;
  series: readonly ChartSeries[];
}

/** Okabe and Ito's palette, which colour-blind readers can tell apart. */
const PALETTE = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];
const SIZE = { width: 760, height: 420 };
const PLOT = { left: 76, right: 24, top: 44, bottom: 60 };
const LEGEND_ROW_PX = 18;
const LEGEND_COLUMN_PX = 165;
const LEGEND_COLUMNS = Math.floor((SIZE.width - PLOT.left) / LEGEND_COLUMN_PX);
/** Powers of ten an axis may span and still show 2 and 5 between them. */
const FULL_DECADES_MAX = 3;
/** Above this many points a line is drawn without markers. */
const MARKED_POINTS_MAX = 30;

interface Scale {
  place(value: number): number;
  ticks: number[];
}

/** Draws lines over two axes as an SVG text of its own; white behind, so that it can be read on any page. */
export function lineChart(chart: LineChart): string {
  const legendRows = Math.ceil(chart.series.length / LEGEND_COLUMNS);
  const height = SIZE.height + legendRows * LEGEND_ROW_PX;
  const series = chart.series.map((one) => ({ ...one, points: one.points.filter((point) => isShown(point, chart)) }));
  const points = series.flatMap((one) => one.points);
  const right = SIZE.width - PLOT.right;
  const bottom = SIZE.height - PLOT.bottom;
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const x = scaleOver(xs, chart.x, PLOT.left, right);
  const y = scaleOver(ys, chart.y, bottom, PLOT.top);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${height}" viewBox="0 0 ${SIZE.width} ${height}" font-family="sans-serif" font-size="12" fill="#222">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${PLOT.left}" y="26" font-size="15" font-weight="600">${escape(chart.title)}</text>`,
    ...x.ticks.map((tick) => verticalTick(x.place(tick), bottom, tick)),
    ...y.ticks.map((tick) => horizontalTick(y.place(tick), right, tick)),
    `<path d="M${PLOT.left} ${PLOT.top}V${bottom}H${right}" fill="none" stroke="#444"/>`,
    `<text x="${(PLOT.left + right) / 2}" y="${bottom + 40}" text-anchor="middle">${escape(chart.x.label)}</text>`,
    `<text transform="translate(18 ${(PLOT.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escape(chart.y.label)}</text>`,
    ...series.map((one, index) => drawSeries(one, colorOf(one, index), x, y)),
    ...series.map((one, index) => drawLegend(one, colorOf(one, index), index)),
    '</svg>',
    '',
  ].join('\n');
}

function isShown([x, y]: readonly [number, number], chart: LineChart): boolean {
  const fits = (value: number, axis: ChartAxis) => Number.isFinite(value) && (axis.log !== true || value > 0);
  return fits(x, chart.x) && fits(y, chart.y);
}

function colorOf(series: ChartSeries, index: number): string {
  return PALETTE[(series.color ?? index) % PALETTE.length]!;
}

function scaleOver(values: readonly number[], axis: ChartAxis, from: number, to: number): Scale {
  const least = values.reduce((least, value) => Math.min(least, value), Infinity);
  const most = values.reduce((most, value) => Math.max(most, value), -Infinity);
  if (axis.log === true)
    return logScale(Number.isFinite(least) ? least : 1, Number.isFinite(most) ? most : 10, from, to);
  return linearScale(Math.min(0, Number.isFinite(least) ? least : 0), Number.isFinite(most) ? most : 1, from, to);
}

function linearScale(low: number, most: number, from: number, to: number): Scale {
  const step = niceStep((most - low || 1) / 5);
  const ticks = Array.from({ length: Math.ceil((most - low) / step - 1e-9) + 1 }, (_, i) => low + i * step);
  const high = Math.max(ticks.at(-1)!, low + step);
  return { ticks, place: (value) => from + ((value - low) / (high - low)) * (to - from) };
}

/** 1, 2 or 5 times a power of ten, not below `wanted`. */
function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * ([1, 2, 5].find((factor) => factor * power >= wanted * 0.999) ?? 10);
}

function logScale(least: number, most: number, from: number, to: number): Scale {
  const low = Math.floor(Math.log10(least) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(most) - 1e-9));
  const powers = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  const between = high - low > FULL_DECADES_MAX ? [] : powers.slice(0, -1).flatMap((power) => [2 * power, 5 * power]);
  const ticks = [...powers, ...between];
  return { ticks, place: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from) };
}

function verticalTick(x: number, bottom: number, value: number): string {
  return `<path d="M${round(x)} ${PLOT.top}V${bottom + 5}" stroke="#ddd"/><text x="${round(x)}" y="${bottom + 20}" text-anchor="middle">${shortNumber(value)}</text>`;
}

function horizontalTick(y: number, right: number, value: number): string {
  return `<path d="M${PLOT.left - 5} ${round(y)}H${right}" stroke="#ddd"/><text x="${PLOT.left - 9}" y="${round(y + 4)}" text-anchor="end">${shortNumber(value)}</text>`;
}

function drawSeries(series: ChartSeries, color: string, x: Scale, y: Scale): string {
  const places = series.points.map(([px, py]) => `${round(x.place(px))},${round(y.place(py))}`);
  const dash = series.dashed === true ? ' stroke-dasharray="6 4"' : '';
  const line = `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="2" stroke-linejoin="round"${dash}/>`;
  if (places.length > MARKED_POINTS_MAX) return line;
  const markers = places.map((place) => {
    const [cx, cy] = place.split(',');
    return `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${color}"/>`;
  });
  return line + markers.join('');
}

function drawLegend(series: ChartSeries, color: string, index: number): string {
  const left = PLOT.left + (index % LEGEND_COLUMNS) * LEGEND_COLUMN_PX;
  const top = SIZE.height + Math.floor(index / LEGEND_COLUMNS) * LEGEND_ROW_PX;
  const dash = series.dashed === true ? ' stroke-dasharray="6 4"' : '';
  return `<path d="M${left} ${top - 4}h26" stroke="${color}" stroke-width="2"${dash}/><text x="${left + 32}" y="${top}">${escape(series.name)}</text>`;
}

function shortNumber(value: number): string {
  const size = Math.abs(value);
  const trim = (shown: number) => String(Number(shown.toPrecision(3)));
  if (size >= 1e6) return `${trim(value / 1e6)}M`;
  return size >= 1e4 ? `${trim(value / 1e3)}k` : trim(value);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
