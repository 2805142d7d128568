import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ImitatedProvider, type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { type Hex, parseEther } from 'viem'
import { expect } from 'vitest'
import { createWebhookEndpoint } from '../../src/domain/events/webhooks/webhook-endpoints.ts'
import { payee, sign } from '../orders/order-service.ts'
import { ecdsaKey, fees, payment, startSessionService } from '../session-keys/session-service.ts'
import type { FeatureName } from './feature-names.ts'

const chainIds = [31337, 31338] as const
const [source, output] = chainIds

/** What a caller gets: `works`, or the code or reason of the error. */
export type Outcome = string

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

const outcomeOf = ({ status, body }: Answer): Outcome =>
  status === 200 ? 'works' : String(body.reason ?? body.code)

/** Thrown to end a feature with an outcome. */
class Ended extends Error {
  readonly outcome: Outcome
  constructor(answer: Answer) {
    super(JSON.stringify(answer.body))
    this.outcome = outcomeOf(answer)
  }
}

const required = <A extends Answer>(answer: A): A => {
  if (answer.status !== 200) throw new Ended(answer)
  return answer
}

/** Reasons for which a caller does not repeat what takes longer than a request. */
const lasting = ['NO_FINALITY_TAG', 'METHOD_MISSING', 'LIMIT_TOO_LOW', 'NO_STATE_OVERRIDE']

/** Milliseconds in which something lasting has to happen, on a busy machine. */
const deliveryWindow = 180_000

/** Starts the service with all its workers, and its networks behind proxies that imitate a provider. */
export async function startImitation({ rules }: ImitatedProvider) {
  await using started = new AsyncDisposableStack()
  const service = started.use(
    await startSessionService({
      chainIds,
      // What is never seen costs this time.
      environment: { INCLUSION_TIMEOUT: '3' },
      settings: { rpcTimeout: 5_000 },
      async startProxy({ rpcUrl }) {
        const proxy: RpcProxy = await startRpcProxy(rpcUrl)
        proxy.set(...rules())
        return proxy
      },
    }),
  )
  const { rest } = service
  const events: string[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    events.push(JSON.parse(body).type)
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  started.defer(() => void receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await createWebhookEndpoint(
    service.database.db,
    { keyName: 'server', url, types: [], accounts: [] },
    { isLocal: true, encryptionKey: undefined, now: new Date() },
  )

  type Wallet = Awaited<ReturnType<typeof service.createWallet>>
  const once = <T>(make: () => Promise<T>) => {
    let made: Promise<T> | undefined
    return () => {
      made ??= make()
      return made
    }
  }

  const build = async ({ address }: Wallet, calls: readonly object[], more: object = {}) =>
    required(
      await service.build({
        network: String(output),
        walletAddress: address,
        transactionDetails: calls,
        ...more,
      }),
    ).body

  /** A caller repeats a request that the service could not answer yet, with the same signature. */
  async function submit(request: object) {
    const until = performance.now() + deliveryWindow
    for (;;) {
      const answer = await service.submit(request)
      const { code, reason } = answer.body
      if (code !== 'INCLUSION_TIMEOUT' || lasting.includes(reason) || performance.now() > until)
        return required(answer).body
    }
  }
  const submitAs = async ({ owner, address }: Wallet, { messageToSign }: { messageToSign: Hex }) =>
    submit({ walletAddress: address, signature: await sign.raw(owner, messageToSign) })

  const wallet = once(() => service.createFundedWallet([output]))
  const sent = once(async () => {
    const built = await build(await wallet(), [service.transfer(output, payee, 2_000_000n)])
    const body = await submitAs(await wallet(), built)
    expect(body).toMatchObject({ success: true })
    await service.finalize(output)
    return body
  })
  const depositor = once(async () => {
    const created = await service.createWallet()
    for (const chainId of chainIds)
      await service.deposit(chainId, created.address, 100_000_000n, created.signer)
    return created
  })

  /** Waits for something lasting; the outcome of what does not come is why. */
  async function eventually(
    look: () => Promise<boolean>,
    otherwise: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const until = performance.now() + deliveryWindow
    while (performance.now() < until) {
      if (await look()) return 'works'
      const why = await otherwise()
      if (why !== 'works') return why
      for (const chainId of chainIds) await service.finalize(chainId)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return 'never'
  }

  /** What the service tells the operator: the reason of the failures that it counts, if there is one. */
  const failures = async (): Promise<Outcome> => {
    const { metrics } = service.service.services
    await metrics.text() // what was counted before the first reading shows in the second
    const text = await metrics.text()
    return lasting.find((reason) => new RegExp(`code="${reason}"[^}]*} [1-9]`).test(text)) ?? 'works'
  }

  const features = {
    'create an account': async () =>
      outcomeOf(
        await rest.post('/smart-account/create', {
          eoaAddress: (await service.createWallet()).owner.address,
        }),
      ),
    'build an operation': async () => {
      await build(await wallet(), [payment(1n)])
      return 'works'
    },
    'submit it': async () => {
      await sent()
      return 'works'
    },
    'its receipt and status': async () => {
      const { userOpHash } = await sent()
      const status = () => rest.get(`/smart-account/transaction/status?userOpHash=${userOpHash}`)
      return eventually(async () => {
        const { body } = await status()
        expect(body).toMatchObject({ state: 'included', success: true })
        return body.final === true
      }, failures)
    },
    'transfers of a wallet': async () => {
      const { address } = await service.createWallet()
      await service.mint(output, address, 5_000_000n)
      await service.finalize(output)
      const { body } = required(await rest.get(`/wallet/transfers?walletAddress=${address}`))
      const networks: { network: string; available: boolean; transfers: object[] }[] = body.networks
      const one = networks.find(({ network }) => network === String(output))
      if (one?.available !== true) return failures()
      expect(one.transfers).toMatchObject([{ amount: '5000000' }])
      return 'works'
    },
    'the smart balance': async () => {
      const { address } = await depositor()
      return eventually(async () => {
        const { body } = required(await rest.get(`/v3/smartbalance/getbalance?walletAddress=${address}`))
        return body.netBalance === '200000000'
      }, failures)
    },
    'an order and its settlement': async () => {
      const spender = await depositor()
      const built = await build(spender, [service.transfer(output, payee, 150_000_000n)], {
        orderData: { amount: '150000000' },
      })
      expect(await submitAs(spender, built)).toMatchObject({ success: true })
      const { orderId } = built.order
      return eventually(async () => {
        const { body } = await rest.get(`/v3/smartbalance/order?orderId=${orderId}`)
        return body.state === 'SETTLED'
      }, failures)
    },
    'a session key': async () => {
      const owner = await service.createFundedWallet([source])
      const key = ecdsaKey()
      const allowance = { type: 'native-token-allowance', allowance: parseEther('1').toString() }
      await submitAs(owner, required(await service.enable(owner, source, key, [allowance, fees])).body)
      const act = { chainId: source, key, calls: [payment(1n)] }
      const { messageToSign } = required(await service.buildAs(owner, act)).body
      const acted = await submit({
        walletAddress: owner.address,
        signatureType: 'SESSION_KEY',
        signature: await key.sign(messageToSign),
      })
      expect(acted).toMatchObject({ success: true })
      return 'works'
    },
    'events and webhooks': async () => {
      await sent()
      return eventually(async () => events.includes('operation.final'), failures)
    },
    health: async () => {
      const { body } = required(await rest.get('/health'))
      const networks: { status: string }[] = body.checks.networks
      return networks.every(({ status }) => status === 'up') ? 'works' : 'down'
    },
  } satisfies Record<FeatureName, () => Promise<Outcome>>

  const running = started.move()
  return {
    service,
    /** The outcome of a feature. */
    async use(name: FeatureName): Promise<Outcome> {
      try {
        return await features[name]()
      } catch (error) {
        if (error instanceof Ended) return error.outcome
        throw error
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
