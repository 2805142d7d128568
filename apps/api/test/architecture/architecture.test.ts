/** @module-tag all */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'
import { filesOfService, recordFiles } from './called-files.ts'

const page = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8')

/** The paths of the files that a section of the page names. */
function filesOf(heading: string): readonly string[] {
  const start = page.indexOf(`\n## ${heading}\n`)
  expect(start, `docs/architecture.md has no section "${heading}"`).not.toBe(-1)
  const [section = ''] = page.slice(start + 1).split(/\n(?=## )/)
  return [
    ...new Set(
      [...section.matchAll(/`((?:apps|packages)\/[\w./-]+\.ts)`/g)].flatMap(([, path]) => path ?? []),
    ),
  ]
}

describe('docs/architecture.md names the files of real calls', () => {
  const output = 31338
  let service: OrderService
  let files: Awaited<ReturnType<typeof recordFiles>>
  let wallet: Awaited<ReturnType<OrderService['createFunded']>>
  beforeAll(async () => {
    // PostgreSQL's pool is four files more.
    service = await startOrderService({ engine: 'pglite', chainIds: [31337, output] })
    wallet = await service.createFunded([31337, output])
    files = await recordFiles()
  })
  afterAll(async () => {
    await files?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })

  const build = (orderData?: object) =>
    service.build({
      network: String(output),
      walletAddress: wallet.address,
      transactionDetails: [service.transfer(output, payee, 1_000_000n)],
      ...(orderData && { orderData }),
    })
  const submit = async (message: `0x${string}`) =>
    service.submit({ walletAddress: wallet.address, signature: await sign.raw(wallet.owner, message) })

  test('behavior: an order passes through the files that the page names', async () => {
    await files.take()
    const built = await build({ amount: '150000000' })
    expect(built.status).toBe(200)
    const submitted = await submit(built.body.messageToSign)
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
    const called = await files.take()
    expect(filesOf('The path of an order').filter((path) => !called.has(path))).toEqual([])
  })

  test('behavior: a build and its submission pass through the files that the page names', async () => {
    await service.on(output).chain.setBalance({ address: wallet.address, value: 10n ** 18n })
    await files.take()
    const built = await build()
    expect(built.status).toBe(200)
    const buildFiles = await files.take()
    expect(filesOf('The path of a build').filter((path) => !buildFiles.has(path))).toEqual([])

    const submitted = await submit(built.body.messageToSign)
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
    const submissionFiles = await files.take()
    expect(filesOf('The path of a submission').filter((path) => !submissionFiles.has(path))).toEqual([])
  })
})

test('behavior: a warm build and a submission pass few files', async () => {
  const chainId = 31337
  // A process with the role `api` alone has no background work whose files would be counted.
  await using service = await startOrderService({
    engine: 'pglite',
    chainIds: [chainId],
    environment: { ROLES: 'api' },
  })
  const wallet = await service.createFunded([chainId])
  await service.on(chainId).chain.setBalance({ address: wallet.address, value: 10n ** 18n })
  const build = () =>
    service.build({
      network: String(chainId),
      walletAddress: wallet.address,
      transactionDetails: [service.transfer(chainId, payee, 0n)],
    })
  const submit = async ({ body }: Awaited<ReturnType<typeof build>>) =>
    service.submit({
      walletAddress: wallet.address,
      signature: await sign.raw(wallet.owner, body.messageToSign),
    })
  // The submission is answered before its relayer is released, whose files would be counted.
  const isReleased = () =>
    vi.waitFor(async () => {
      const held = service.database.db
        .selectFrom('relayer_leases')
        .select('relayer')
        .where('expires_at', '>', new Date(0))
      expect(await held.execute()).toEqual([])
    })
  await using files = await recordFiles()
  const walk = async () => {
    // A build after another submission is not warm.
    await build()
    await files.take()
    const built = await build()
    const ofBuild = new Set(filesOfService(await files.take()))
    expect(await submit(built)).toMatchObject({ status: 200, body: { success: true } })
    const ofSubmission = new Set(filesOfService(await files.take()))
    await isReleased()
    return { ofBuild, ofSubmission }
  }
  // The first walk is cold. What is not in each of the others belongs to the end of an earlier submission, or to a slow machine.
  const [, first, ...others] = [await walk(), await walk(), await walk(), await walk()]
  const inEach = (name: 'ofBuild' | 'ofSubmission') =>
    [...first[name]].filter((path) => others.every((other) => other[name].has(path)))
  const ofBuild = inEach('ofBuild')
  const ofSubmission = inEach('ofSubmission')
  expect(ofBuild.length, ofBuild.join('\n')).toBeLessThanOrEqual(72)
  expect(ofSubmission.length, ofSubmission.join('\n')).toBeLessThanOrEqual(108)
})
