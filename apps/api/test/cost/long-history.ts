import { computeAccountAddress } from '@lanyard/accounts'
import { localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createTestClient, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { laneCount } from '../../src/domain/operations/nonces.ts'
import {
  type ExplainedDatabase,
  type ExplainedStatement,
  explainedDatabase,
} from '../explained-statements.ts'
import { type HttpService, startHttpService } from '../http-service.ts'
import { restClient } from '../rest.ts'
import { setSequence } from '../set-sequence.ts'
import { growHistory, type HistorySize } from './history.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answer
type Body = any

/** A service whose account has a long history, and whose database has a longer one. */
export interface LongHistory extends AsyncDisposable {
  readonly fixture: HttpService
  readonly explained: ExplainedDatabase
  readonly walletAddress: Address
  readonly owner: Address
  /** Answers of paths of the API, which have to be 200. */
  get(path: string): Promise<Body>
  build(): Promise<Body>
  submit(built: { messageToSign: Hex }): Promise<Body>
  untilFinal(hash: string): Promise<void>
  /** Runs something and keeps the statements that ran in the meantime under this name. */
  step<T>(name: string, run: () => Promise<T>): Promise<T>
  readonly steps: ReadonlyMap<string, readonly ExplainedStatement[]>
}

/**
 * Starts a service, carries one operation to its end and copies it. The nonces on the chain match the history.
 *
 * @param plans - for the actual parameters, or generic ones
 */
export async function startLongHistory(
  size: HistorySize,
  plans: 'auto' | 'force_generic_plan' = 'auto',
  variables: Record<string, string> = {},
): Promise<LongHistory> {
  let database: ExplainedDatabase | undefined
  await using stack = new AsyncDisposableStack()
  const fixture = stack.use(
    await startHttpService(variables, {}, async () => {
      database = await explainedDatabase(plans)
      return database
    }),
  )
  if (!database) throw new TypeError('Expected the service to open its database')
  const explained = database
  const { node, service } = fixture
  const { post, get } = restClient(fixture.url)
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) })
  const owner = privateKeyToAccount(randomPrivateKey())
  const walletAddress = computeAccountAddress({ kind: 'eoa', address: owner.address })
  const answerOf = async (request: ReturnType<typeof get>) => {
    const { status, body } = await request
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }

  const build = () =>
    answerOf(
      post('/smart-account/transaction/build', {
        network: String(node.chainId),
        walletAddress,
        transactionDetails: [{ targetContractAddress: walletAddress, value: '0', encodedData: '0x' }],
      }),
    )
  const submit = async ({ messageToSign }: { messageToSign: Hex }) => {
    const signature = await owner.signMessage({ message: { raw: messageToSign } })
    return answerOf(post('/smart-account/transaction/submit', { walletAddress, signature }))
  }
  const untilFinal = (hash: string) =>
    expect
      .poll(() => answerOf(get(`/smart-account/transaction/status?userOpHash=${hash}`)))
      .toMatchObject({ final: true })

  await answerOf(post('/smart-account/create', { eoaAddress: owner.address }))
  await chain.setBalance({ address: walletAddress, value: parseEther('10') })
  const first = await submit(await build())
  await untilFinal(first.userOpHash)

  const relayers = await explained.db
    .selectFrom('relayer_transactions')
    .select('relayer')
    .distinct()
    .execute()
  for (const { relayer } of relayers) await chain.setNonce({ address: relayer as Hex, nonce: size.all }) // the column holds 0x and 40 digits
  const { entryPoint } = service.services.networks.get(node.chainId).config
  const sequence = BigInt(Math.ceil(size.account / laneCount))
  for (let lane = 0n; lane < laneCount; lane++)
    await setSequence(chain, entryPoint, { account: walletAddress, lane, sequence })
  await growHistory(explained, size, laneCount)
  explained.take()

  const steps = new Map<string, readonly ExplainedStatement[]>()
  const resources = stack.move()
  return {
    ...{ fixture, explained, walletAddress, build, submit, untilFinal, steps },
    owner: owner.address,
    get: (path) => answerOf(get(path)),
    async step(name, run) {
      explained.take()
      const value = await run()
      steps.set(name, explained.take())
      return value
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
