// @promise 14 15
import { reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operations, startOperations } from '../../../test/operation-fixture.ts'
import { recordStatements, type Statements } from '../../../test/statements.ts'
import { hasUnfinished } from './track/find-unfinished.ts'
import { reconcile } from './track/reconcile.ts'

/** Counts of SQL statements, including `begin` and `commit`. An increase must be deliberate. */
describe('SQL statements of an operation', () => {
  let fixture: Operations
  let statements: Statements
  let account: Awaited<ReturnType<Operations['createWallet']>>
  beforeAll(async () => {
    fixture = await startOperations('pglite')
    account = await fixture.createWallet()
    await fixture.send(account.wallet, account.owner) // deploys
    const isFinished = async () => {
      await reconcile(fixture.operations, fixture.network)
      return !(await hasUnfinished(fixture.database, fixture.network.chainId))
    }
    while (!(await isFinished())) {}
    statements = recordStatements(fixture.opened)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  test('behavior: a build is one read and one write', async () => {
    await fixture.build(account.wallet)
    const executed = statements.take()
    expect(executed.map(firstWord)).toEqual(['select', 'with'])
    reportFigure(14, 'SQL statements of a build', executed.length)
  })

  test('behavior: the path from the signature to the inclusion takes at most 13 statements', async () => {
    const built = await fixture.build(account.wallet)
    const signature = await fixture.sign(account.owner, built.operationHash)
    statements.take()
    await fixture.submit(account.wallet, account.owner, signature)
    const executed = statements.take()
    expect(executed).not.toContain('begin') // the signature and the bundle are one statement each
    // Each further check while it waits for its block adds two statements.
    expect(executed.length).toBeLessThanOrEqual(13)
    reportFigure(15, 'SQL statements from a signature to its inclusion', executed.length)
  })

  test('behavior: a pass reads operations that wait for finality once', async () => {
    // Blocks are mined only for transactions, so nothing becomes final.
    await using quiet = await startOperations('pglite', { blockTime: 3_600 })
    const { wallet, owner } = await quiet.createWallet()
    await quiet.send(wallet, owner)
    const ofPass = recordStatements(quiet.opened)
    await reconcile(quiet.operations, quiet.network)
    const executed = ofPass.take().filter((text) => /from "?operations\b/.test(text))
    // The statements read the operation's block, the other open operations, the due deliveries, the bundler's queue and
    // the relayer's transactions that operations wait for.
    expect(executed).toHaveLength(5)
  })
})

const firstWord = (text: string) => text.split(' ')[0]
