import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The test that failed. */
export interface Notice {
  readonly test: string
  /** Below the folder of the contracts. */
  readonly file: string
}

interface MutantResult {
  readonly guard: string
  readonly file: string
  /** null: no test failed. */
  readonly noticed: (Notice & { readonly digest: string }) | null
}

interface Recorded {
  /** Of the contracts and of what tests share: what was found holds for these alone. */
  readonly sources: string
  /** Of all tests: a mutant that survived them is tried again when one changes. */
  readonly tests: string
  readonly date: string
  readonly results: readonly MutantResult[]
}

/** SHA-256 of files below a folder, by their names and contents. */
function digestOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

const isTest = (file: string) => file.endsWith('.t.sol')

/**
 * What is known about a suite's mutants: kept after each, so that an interrupted run goes on where it was. A mutant that
 * was killed stays so as long as the contracts, what tests share and the test that noticed it are the same.
 */
export class MutationResults {
  readonly #path: string
  readonly #contracts: string
  readonly #total: number
  readonly #sources: string
  readonly #tests: string
  readonly #results: MutantResult[]

  constructor(folder: string, suite: string, total: number, contracts: string) {
    this.#path = join(folder, suite)
    this.#contracts = contracts
    this.#total = total
    const files = globSync('**/*.sol', { cwd: contracts }).sort()
    this.#tests = digestOf(contracts, files.filter(isTest))
    this.#sources = digestOf(
      contracts,
      files.filter((file) => !isTest(file)),
    )
    this.#results = this.#read().filter(({ noticed }) => noticed === null || this.#isSame(noticed))
  }

  #read(): readonly MutantResult[] {
    const file = `${this.#path}.json`
    if (!existsSync(file)) return []
    const { sources, tests, results }: Recorded = JSON.parse(readFileSync(file, 'utf8'))
    if (sources !== this.#sources) return []
    return tests === this.#tests ? results : results.filter(({ noticed }) => noticed !== null)
  }

  #isSame({ file, digest }: { readonly file: string; readonly digest: string }): boolean {
    return existsSync(join(this.#contracts, file)) && digestOf(this.#contracts, [file]) === digest
  }

  has(guard: string): boolean {
    return this.#results.some((result) => result.guard === guard)
  }

  get survivors(): readonly MutantResult[] {
    return this.#results.filter(({ noticed }) => noticed === null)
  }

  add(guard: string, file: string, notice: Notice | undefined): void {
    const noticed = notice ? { ...notice, digest: digestOf(this.#contracts, [notice.file]) } : null
    this.#results.push({ guard, file, noticed })
    this.write()
  }

  /** Also what was dropped since it holds no longer. */
  write(): void {
    const date = new Date().toISOString().slice(0, 10)
    const recorded: Recorded = { sources: this.#sources, tests: this.#tests, date, results: this.#results }
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
      ({ guard, file, noticed }) =>
        `| ${guard} | ${file} | ${noticed ? `\`${noticed.test}\` in ${noticed.file}` : '**survived**'} |`,
    )
    const table = ['| Guard that was taken out | In | Noticed by |', '|---|---|---|', ...rows].join('\n')
    return `# Mutants\n\n${this.summary()}, ${date}. Written by \`node scripts/mutants.ts\`.\n\n${table}\n`
  }
}
