/** @module-tag all */
/** @module-tag longer */
// @promise 2
import { testEngines } from '@lanyard/database/testing'
import { localTransport } from '@lanyard/devnet'
import { isLong, randomPrivateKey } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { createTestClient, type Hex, parseEther, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkpoints } from '../../src/pipeline/idempotency/checkpoints.ts'
import { type DevnetInFolder, startDevnetInFolder } from '../devnet-in-folder.ts'
import { askUntilDone, postJson } from '../http-service.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

/** Retries with an Idempotency-Key after the process died. */
let devnet: DevnetInFolder
beforeAll(async () => {
  devnet = await startDevnetInFolder({ chainIds: [31337] })
})
afterAll(() => devnet?.stop())

const connect = () =>
  createTestClient({ mode: 'anvil', transport: localTransport(devnet.networks[0]?.rpcUrl) }).extend(
    publicActions,
  )

const network = '31337'

/** Creates an account of a new owner, because the chain outlives the databases. */
async function createFunded(url: string) {
  const owner = privateKeyToAccount(randomPrivateKey())
  const { body } = await postJson(`${url}/smart-account/create`, { eoaAddress: owner.address })
  const account: Hex = body.wallet.scw_address
  await connect().setBalance({ address: account, value: parseEther('1') })
  return { owner, account }
}

const build = (url: string, walletAddress: Hex, key: string) =>
  postJson(`${url}/smart-account/transaction/build`, { network, walletAddress }, { 'idempotency-key': key })

const steps = [...checkpoints, 'build:estimated', 'build:written']
/** `npm run test:all` kills where the answer is stored and was not sent; `npm run test:long` at every step, on both engines. */
const cases = isLong
  ? testEngines().flatMap((engine) => steps.map((step) => ({ engine, step })))
  : testEngines()
      .slice(-1)
      .map((engine) => ({ engine, step: 'build:written' }))
/** Steps at which only the claim is stored. A retry is rejected until the claim expires. */
const claimOnlySteps = ['idempotency:claimed', 'build:estimated']

reportPassed(2, 'kills survived: builds retried with their key', (title) => title.startsWith('behavior: at '))

describe('a build that is retried after its process died', () => {
  test.each(cases)('behavior: at $step ($engine)', async ({ engine, step }) => {
    await using storage = await devnet.environment(engine)
    const { env } = storage

    await using crashing = await startServiceProcess({ ...env, CRASH_AT: step })
    const { owner, account } = await createFunded(crashing.url)
    const lost = build(crashing.url, account, step).catch(() => 'no answer')
    expect(await lost).toBe('no answer')
    expect(await crashing.ended).toBe('SIGKILL')

    await using restarted = await startConfigured(env)
    const retried = await askUntilDone(() => build(restarted.url, account, step))
    expect(retried.status).toBe(200)
    const isReplay = retried.headers.get('idempotency-replayed') === 'true'
    expect(isReplay).toBe(!claimOnlySteps.includes(step))
    const again = await build(restarted.url, account, step)
    expect(again.text).toBe(retried.text)

    // There is only one build. The answered build can be signed and has the first nonce.
    expect(retried.body.userOp.nonce).toBe('0')
    const signature = await owner.signMessage({ message: { raw: retried.body.messageToSign } })
    const submission = { walletAddress: account, signature }
    const submitted = await postJson(`${restarted.url}/smart-account/transaction/submit`, submission)
    expect(submitted.body).toMatchObject({ success: true })
  })
})
