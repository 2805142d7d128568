import { expect, test } from 'vitest'
import type { LineChart, StackedBars } from './chart.ts'
import { drawChart } from './draw-chart.ts'
import { ticksTo } from './figure.ts'

const bars: StackedBars = {
  kind: 'stacked bars',
  file: 'time',
  title: 'Processor time <of> an operation',
  unit: 'ms',
  parts: ['service', 'database', 'node', 'clients'],
  groups: [
    {
      name: '1 at once',
      bars: [
        { name: 'Ours', values: [4, 2, 1, 3] },
        { name: 'Peer & co', values: [8, undefined, 0.5, 12] },
      ],
    },
  ],
}

const lines: LineChart = {
  kind: 'lines',
  file: 'rate',
  title: 'Operations per second',
  unit: 'operations/s',
  axis: 'at once',
  places: [1, 4, 16],
  lines: [
    { name: 'Ours', values: [10, 40, 160] },
    { name: 'Peer', values: [5, 20, 1234.5] },
  ],
}

/** Values of one attribute of all elements with a class, in document order. */
const attributesOf = (picture: string, className: string, attribute: string) =>
  [...picture.matchAll(new RegExp(`<\\w+ class="${className}"[^>]* ${attribute}="([^"]*)"`, 'g'))].map(
    ([, value]) => value,
  )

const textsOf = (picture: string) =>
  [...picture.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, value]) => value)

test('behavior: the parts of a bar are side by side, and as wide as their values', () => {
  const picture = drawChart(bars)
  const widthOf = (part: number) => attributesOf(picture, `part part${part}`, 'width').map(Number)
  const [service = 0, ofPeer = 0] = widthOf(0)
  const [database = 0] = widthOf(1)
  const [node = 0] = widthOf(2)
  const [clients = 0] = widthOf(3)
  expect(service).toBeGreaterThan(0)
  expect(database / service).toBeCloseTo(1 / 2, 1)
  expect(node / service).toBeCloseTo(1 / 4, 1)
  expect(clients / service).toBeCloseTo(3 / 4, 1)
  expect(ofPeer / service).toBeCloseTo(2, 1)
  const startOf = (part: number) => Number(attributesOf(picture, `part part${part}`, 'x')[0])
  expect(startOf(1)).toBeCloseTo(startOf(0) + service, 0)
  expect(startOf(3)).toBeCloseTo(startOf(0) + service + database + node, 0)
  // A part that a bar does not have is not drawn.
  expect(widthOf(1)).toHaveLength(1)
})

test('behavior: every value of a bar is shown beside it, with the sum', () => {
  const texts = textsOf(drawChart(bars))
  expect(texts).toEqual(expect.arrayContaining(['4', '2', '1', '3', '10', '8', '–', '0.5', '12', '20.5']))
  expect(texts).toEqual(
    expect.arrayContaining(['1 at once', 'Ours', 'Peer &amp; co', 'service', 'clients', 'sum']),
  )
})

test('behavior: a line is as high as its values, and each value is shown below its point', () => {
  const picture = drawChart(lines)
  const [ours = '', peer = ''] = [...picture.matchAll(/<polyline [^>]*points="([^"]*)"/g)].map(
    ([, points]) => points,
  )
  const heights = (points: string) => points.split(' ').map((point) => 320 - Number(point.split(',')[1]))
  const [one = 0, two = 0, three = 0] = heights(ours)
  expect(one).toBeGreaterThan(0)
  expect(three / two).toBeCloseTo(4, 0)
  expect(heights(peer)[2]).toBeGreaterThan(three)
  // Powers of four are equally spaced on a logarithmic axis.
  const [x1, x2, x3] = ours.split(' ').map((point) => Number(point.split(',')[0])) as [number, number, number]
  expect(x3 - x2).toBeCloseTo(x2 - x1, 0)
  expect(textsOf(picture)).toEqual(expect.arrayContaining(['10', '40', '160', '5', '20', '1,235', 'at once']))
})

test.for([bars, lines])(
  'behavior: $kind describe themselves in words, and have light and dark colours',
  (chart) => {
    const picture = drawChart(chart)
    expect(picture).toContain('role="img" aria-labelledby="title description"')
    expect(picture).toContain('prefers-color-scheme:dark')
    const description = /<desc id="description">([^<]*)<\/desc>/.exec(picture)?.[1]
    const words =
      chart.kind === 'lines'
        ? 'Peer: 5 at 1, 20 at 4, 1,235 at 16 (operations/s; at once).'
        : '1 at once, Peer &amp; co: 20.5 ms (service 8, node 0.5, clients 12).'
    expect(description).toContain(words)
    expect(picture).toContain(`<title id="title">${chart.title.replace('<of>', '&lt;of&gt;')}</title>`)
    // The picture references nothing outside the file, and contains nothing executable.
    expect(picture).not.toMatch(/href|url\(|<script|@import/)
  },
)

test.for([
  [0.9, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [20.5, [0, 5, 10, 15, 20, 25]],
  [100, [0, 20, 40, 60, 80, 100]],
  [1234, [0, 500, 1000, 1500]],
] as const)('behavior: an axis up to %d has few round values', ([max, ticks]) => {
  const drawn = ticksTo(max)
  expect(drawn).toHaveLength(ticks.length)
  for (const [index, tick] of ticks.entries()) expect(drawn[index]).toBeCloseTo(tick, 9)
})
