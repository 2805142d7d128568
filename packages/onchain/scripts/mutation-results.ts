import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface MutantResult {
  readonly guard: string
  readonly file: string
  /** The test that failed; null: none did. */
  readonly noticedBy: string | null
}

interface Recorded {
  /** Of all contracts and tests: what was found holds for these alone. */
  readonly sources: string
  readonly date: string
  readonly results: readonly MutantResult[]
}

/** SHA-256 of every Solidity file below a folder. */
function digestOf(folder: string): string {
  const hash = createHash('sha256')
  for (const file of globSync('**/*.sol', { cwd: folder }).sort()) {
    hash.update(file).update(readFileSync(join(folder, file)))
  }
  return hash.digest('hex')
}

/** What is known about a suite's mutants: kept after each, so that an interrupted run goes on where it was. */
export class MutationResults {
  readonly #path: string
  readonly #sources: string
  readonly #total: number
  readonly #results: MutantResult[]

  constructor(folder: string, suite: string, total: number, contracts: string) {
    this.#path = join(folder, suite)
    this.#total = total
    this.#sources = digestOf(contracts)
    const file = `${this.#path}.json`
    const recorded: Recorded | undefined = existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : undefined
    this.#results = recorded?.sources === this.#sources ? [...recorded.results] : []
  }

  has(guard: string): boolean {
    return this.#results.some((result) => result.guard === guard)
  }

  get survivors(): readonly MutantResult[] {
    return this.#results.filter(({ noticedBy }) => noticedBy === null)
  }

  add(result: MutantResult): void {
    this.#results.push(result)
    const date = new Date().toISOString().slice(0, 10)
    const recorded: Recorded = { sources: this.#sources, date, results: this.#results }
    writeFileSync(`${this.#path}.json`, `${JSON.stringify(recorded, null, 2)}\n`)
    writeFileSync(`${this.#path}.md`, this.#render(date))
  }

  summary(): string {
    const tried = this.#results.length
    const left = this.#total - tried
    return `${tried - this.survivors.length} of ${tried} killed${left > 0 ? `, ${left} not tried yet` : ''}`
  }

  #render(date: string): string {
    const rows = this.#results.map(
      ({ guard, file, noticedBy }) =>
        `| ${guard} | ${file} | ${noticedBy === null ? '**survived**' : `\`${noticedBy}\``} |`,
    )
    const table = ['| Guard that was taken out | In | Noticed by |', '|---|---|---|', ...rows].join('\n')
    return `# Mutants\n\n${this.summary()}, ${date}. Written by \`node scripts/mutants.ts\`.\n\n${table}\n`
  }
}
