import { type PGlite, parse, protocol } from '@electric-sql/pglite'
import { isOutdatedPlan, OutdatedPlanError } from './common.ts'
import { createStatementNames } from './statement-names.ts'

const { serialize } = protocol

/** A statement that PGlite has parsed. */
interface Prepared {
  readonly parameterTypes: readonly number[]
  /** Describes the rows, for `parse.parseResults`. */
  readonly description: readonly Message[]
  uses: number
}

type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number]

/** A plan that was made while a table was small stays until the table is analysed, which nothing here does by itself. */
const maxUses = 100

/** Each keeps a plan in WebAssembly's memory, which never shrinks. */
const maxNames = 200

export interface StatementResult {
  readonly rows: unknown[]
  readonly affectedRows?: number | undefined
}

/**
 * Runs statements by name from their second use on. PGlite parses and plans a named one once, and runs it in one exchange of
 * messages instead of six.
 *
 * @returns a function whose caller has the only connection, and says whether a transaction is open. It returns undefined for
 * a statement without a name
 */
export function createPGliteStatements(pglite: PGlite) {
  const names = createStatementNames(maxNames)
  const prepared = new Map<string, Prepared>()

  const exchange = (...messages: readonly Uint8Array[]) =>
    pglite.execProtocolStream(Buffer.concat(messages), { syncToFs: false })

  async function prepare(name: string, text: string): Promise<Prepared> {
    const messages = await exchange(
      serialize.close({ type: 'S', name }),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const statement = {
      parameterTypes: parse.parseDescribeStatementResults(messages),
      description: messages.filter(({ name }) => name === 'rowDescription'),
      uses: 0,
    }
    prepared.set(name, statement)
    return statement
  }

  async function run(name: string, text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const known = prepared.get(name)
    const statement = known && known.uses < maxUses ? known : await prepare(name, text)
    statement.uses++
    const values = parameters.map((value, index) => {
      if (value === null || value === undefined) return null
      const toText = pglite.serializers[statement.parameterTypes[index] ?? 0]
      return toText ? toText(value) : String(value)
    })
    const messages = await exchange(
      serialize.bind({ statement: name, values }),
      serialize.execute({}),
      serialize.sync(),
    )
    const [result] = parse.parseResults([...statement.description, ...messages], pglite.parsers)
    return { rows: result?.rows ?? [], affectedRows: result?.affectedRows }
  }

  return async (
    text: string,
    parameters: readonly unknown[],
    isInTransaction: boolean,
  ): Promise<StatementResult | undefined> => {
    const name = names.of(text)
    if (name === undefined) return undefined
    const runOnce = () => pglite._runExclusiveQuery(() => run(name, text, parameters))
    if (isInTransaction) {
      return runOnce().catch((error: unknown) => {
        if (!isOutdatedPlan(error)) throw error
        prepared.clear()
        throw new OutdatedPlanError(error)
      })
    }
    return pglite._runExclusiveTransaction(async () => {
      const result = await runOnce().catch((error: unknown) => {
        if (!isOutdatedPlan(error)) throw error
        prepared.clear()
        return runOnce()
      })
      await pglite.syncToFs()
      return result
    })
  }
}
