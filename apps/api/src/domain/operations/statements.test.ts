import { reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operations, startOperations } from '../../../test/operation-fixture.ts'
import { recordStatements, type Statements } from '../../../test/statements.ts'
import { hasUnfinished } from './track/find-unfinished.ts'
import { reconcile } from './track/reconcile.ts'

/** Counts of SQL statements, including `begin` and `commit`. An increase must be deliberate. */
describe('what an operation asks of the database', () => {
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

  test('behavior: a build is one transaction of three statements', async () => {
    await fixture.build(account.wallet)
    const asked = statements.take()
    expect(asked.map(firstWord)).toEqual(['begin', 'select', 'select', 'insert', 'end'])
    reportFigure(14, 'SQL statements of a build', asked.length)
  })

  test('behavior: from the signature to its inclusion', async () => {
    const built = await fixture.build(account.wallet)
    const signature = await fixture.sign(account.owner, built.safeOperationHash)
    statements.take()
    await fixture.submit(account.wallet, account.owner, signature)
    const asked = statements.take()
    expect(asked.filter((text) => text === 'begin')).toHaveLength(1) // the bundle: a signature is one statement
    // Each further look while it waits for its block adds two statements.
    expect(asked.length).toBeLessThanOrEqual(25)
    reportFigure(15, 'SQL statements from a signature to its inclusion', asked.length)
  })

  test('behavior: a pass over operations that wait for finality reads them once', async () => {
    // Blocks are mined only for transactions: nothing becomes final.
    await using quiet = await startOperations('pglite', { blockTime: 3_600 })
    const { wallet, owner } = await quiet.createWallet()
    await quiet.send(wallet, owner)
    await reconcile(quiet.operations, quiet.network) // records that the relayer's transaction is mined
    const ofPass = recordStatements(quiet.opened)
    await reconcile(quiet.operations, quiet.network)
    const asked = ofPass.take().filter((text) => text.includes('from "operations"'))
    // The block of the operation, the other open operations, due deliveries, and the bundler's queue.
    expect(asked).toHaveLength(4)
  })
})

const firstWord = (text: string) => text.split(' ')[0]
