/** @module-tag all */
/** @module-tag longer */
// @promise 5
import { randomUUID } from 'node:crypto'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { isLong, randomPrivateKey } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { type Address, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DevnetInFolder, startDevnetInFolder } from '../devnet-in-folder.ts'
import { ask, askUntilDone, postJson } from '../http-service.ts'
import { orderChains, payee } from '../orders/order-chains.ts'
import { callsOf } from '../orders/order-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import { restClient } from '../rest.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { type ConfiguredService, startConfigured } from '../start-configured.ts'

const preload = new URL('shift-clock.ts', import.meta.url)
const minutes = 60_000
const origin = 'http://localhost:3000'
const [source, output] = [31337, 31338]

reportPassed(5, 'journeys across replicas whose clocks differ by ten minutes', (title) =>
  title.startsWith('behavior: '),
)

/** Shown if a request fails: the status alone does not tell why. */
const reasonOf = ({ body }: { readonly body: { readonly code?: string; readonly message?: string } }) =>
  `${body.code}: ${body.message}`

/** Replicas share only PostgreSQL, and the clocks of their machines may differ. */
describe
  .skipIf(!testEngines().includes('postgresql'))
  .each([['ahead', 10 * minutes] as const, ...(isLong ? [['behind', -10 * minutes] as const] : [])])(
  'a replica whose clock is ten minutes %s',
  (_, shift) => {
    let started: AsyncDisposableStack
    let devnet: DevnetInFolder
    let correct: ConfiguredService
    let shifted: ServiceProcess
    let shiftedEnv: Record<string, string>
    beforeAll(async () => {
      await using starting = new AsyncDisposableStack()
      devnet = starting.use(await startDevnetInFolder({ chainIds: [source, output] }))
      const database = starting.use(await freshDatabase('postgresql'))
      const env = {
        NETWORKS_FILE: devnet.networksFile,
        DATABASE_URL: database.url ?? '',
        ORIGINS: origin,
        RATE_LIMITS: 'off',
      }
      shiftedEnv = { ...env, CLOCK_SHIFT: String(shift) }
      correct = starting.use(await startConfigured(env))
      shifted = starting.use(await startServiceProcess(shiftedEnv, preload))
      started = starting.move()
    })
    afterAll(() => started?.disposeAsync())

    const bothDirections = () =>
      [
        { first: restClient(correct.url), second: restClient(shifted.url) },
        { first: restClient(shifted.url), second: restClient(correct.url) },
      ] as const

    async function createWallet(url: string) {
      const owner = privateKeyToAccount(randomPrivateKey())
      const { body } = await restClient(url).post('/smart-account/create', { eoaAddress: owner.address })
      const address: Address = body.wallet.scw_address
      return { owner, address, signer: { kind: 'eoa', address: owner.address } as const }
    }

    test('behavior: each replica accepts the ceremonies, sign-in messages and tokens of the other', async () => {
      for (const [index, { first, second }] of bothDirections().entries()) {
        const username = `ann-${index}`
        const passkey = new Authenticator(origin)
        const creation = await first.get(`/v3/webauthn/register/generate-options?username=${username}`)
        const registered = await second.post(
          `/v3/webauthn/register/verify?username=${username}`,
          passkey.create(creation.body),
        )
        expect(registered).toMatchObject({ status: 200 })
        const request = await first.get(`/webauthn/authenticate/generate-options?username=${username}`)
        const authenticated = await second.post(
          `/webauthn/authenticate/verify?username=${username}`,
          passkey.get(request.body.passkeyAuthenticationOptions),
        )
        expect(authenticated).toMatchObject({ status: 200, body: { token: expect.any(String) } })
        for (const { url } of [correct, shifted]) {
          const authorization = `Bearer ${authenticated.body.token}`
          const credentials = await ask(`${url}/v3/webauthn/credentials`, { headers: { authorization } })
          expect(credentials).toMatchObject({ status: 200 })
        }

        const { owner, address } = await createWallet(correct.url)
        const login = { walletAddress: address, eoaAddress: owner.address }
        const { message } = (await first.post('/login/message', login)).body
        const signature = await owner.signMessage({ message })
        expect(await second.post('/login/verify', { message, signature })).toMatchObject({ status: 200 })
      }
    })

    test('behavior: one replica builds with a solution of the other, and the first submits the build', async () => {
      const chains = orderChains(devnet)
      for (const { first, second } of bothDirections()) {
        const wallet = await createWallet(correct.url)
        await chains.deposit(source, wallet.address, 100_000_000n, wallet.signer)
        const order = { walletAddress: wallet.address, outputNetwork: output, amount: '1000000' }
        const solution = await first.post('/v3/smartbalance/computesolution', order)
        expect(solution, reasonOf(solution)).toMatchObject({ status: 200 })
        const build = await second.post('/smart-account/transaction/build', {
          network: String(output),
          walletAddress: wallet.address,
          transactionDetails: [...callsOf(solution.body), chains.transfer(output, payee, 1_000_000n)],
          paymasterData: solution.body.signatures.paymaster,
        })
        expect(build, reasonOf(build)).toMatchObject({ status: 200 })
        const signature = await wallet.owner.sign({ hash: build.body.messageToSign })
        const submitted = await first.post('/smart-account/transaction/submit', {
          walletAddress: wallet.address,
          signature,
        })
        expect(submitted, reasonOf(submitted)).toMatchObject({ status: 200, body: { success: true } })
      }
    })

    test('behavior: requests with one Idempotency-Key at both replicas make one build', async () => {
      const { owner, address } = await createWallet(correct.url)
      const { chain } = orderChains(devnet).on(output)
      await chain.setBalance({ address, value: parseEther('1') })
      const request = { network: String(output), walletAddress: address, transactionDetails: [] }
      const headers = { 'idempotency-key': randomUUID() }
      const answers = await Promise.all(
        [correct, shifted, correct, shifted].map(({ url }) =>
          askUntilDone(() => postJson(`${url}/smart-account/transaction/build`, request, headers)),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      const signature = await owner.signMessage({ message: { raw: answers[0]?.body.messageToSign as Hex } })
      const submission = { walletAddress: address, signature }
      const submitted = await Promise.all(
        [correct, shifted].map(({ url }) =>
          restClient(url).post('/smart-account/transaction/submit', submission),
        ),
      )
      expect(submitted[0]).toMatchObject({ status: 200, body: { success: true } })
      expect(submitted[1]).toEqual(submitted[0])
    })

    test('behavior: the lease of a killed replica expires within seconds', async () => {
      await using crashing = await startServiceProcess(
        { ...shiftedEnv, CRASH_AT: 'relayer:row-written' },
        preload,
      )
      const { owner, address } = await createWallet(correct.url)
      await orderChains(devnet)
        .on(output)
        .chain.setBalance({ address, value: parseEther('1') })
      const sign = async () => {
        const { body } = await restClient(correct.url).post('/smart-account/transaction/build', {
          network: String(output),
          walletAddress: address,
        })
        return owner.signMessage({ message: { raw: body.messageToSign } })
      }
      const submit = (url: string, signature: Hex) =>
        restClient(url).post('/smart-account/transaction/submit', { walletAddress: address, signature })
      // Another replica may send what this one has accepted; it dies once it sends one itself.
      let signature = await sign()
      while ((await submit(crashing.url, signature).catch(() => 'lost')) !== 'lost') signature = await sign()
      expect(await crashing.ended).toBe('SIGKILL')
      expect(await submit(correct.url, signature)).toMatchObject({ status: 200, body: { success: true } })
    })
  },
)
