import type { PackageRun, WholeRun } from './render-summary.ts'

const nameOf = ({ name, package: of }: PackageRun) => {
  const short = of.replace('@lanyard/', '')
  return name === 'tests' ? short : `${short}, ${name}`
}

const time = (seconds: number | undefined) => (seconds === undefined ? '' : `${Math.round(seconds)} s`)

/** Renders several runs of the same tests as a table in Markdown: wall time and processor time of each package. */
export function renderCosts(wholes: readonly WholeRun[]): string {
  const ofLast = wholes.at(-1)?.runs ?? []
  const names = [...ofLast]
    .filter(({ passed }) => passed > 0)
    .toSorted((a, b) => (b.processorSeconds ?? 0) - (a.processorSeconds ?? 0))
    .map(nameOf)
  const cells = (run: { seconds: number; processorSeconds?: number | undefined } | undefined) =>
    `${time(run?.seconds)} | ${time(run?.processorSeconds)}`
  const count = (runs: readonly PackageRun[]) => runs.reduce((sum, { passed }) => sum + passed, 0)
  const rows = names.map((name) => {
    const runs = wholes.map((whole) => whole.runs.find((run) => nameOf(run) === name))
    return `| ${name} | ${runs.at(-1)?.passed} | ${runs.map(cells).join(' | ')} |`
  })
  const heads = wholes.map(
    ({ loadBefore }, index) => `Run ${index + 1}, load before ${loadBefore.toFixed(1)} | processor`,
  )
  return [
    `| | Tests | ${heads.join(' | ')} |`,
    `|---|---:|${wholes.map(() => '---:|---:|').join('')}`,
    `| all | ${count(ofLast)} | ${wholes.map(cells).join(' | ')} |`,
    ...rows,
    '',
  ].join('\n')
}

/** The processor time of each test file as a table in Markdown, most expensive first. Servers that files share are not in it. */
export function renderFileCosts(runs: readonly PackageRun[]): string {
  const rows = runs
    .filter(({ isCached }) => !isCached)
    .flatMap((run) =>
      Object.entries(run.files ?? {}).map(([file, seconds]) => ({ of: nameOf(run), file, seconds })),
    )
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ of, file, seconds }) => `| ${of} | ${file} | ${seconds.toFixed(1)} s |`)
  return ['| Package | File | Processor |', '|---|---|---:|', ...rows, ''].join('\n')
}
