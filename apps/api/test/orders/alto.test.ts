/** @module-tag all */
import { unpackPaymasterAndData } from '@lanyard/accounts'
import { altoProgram, startAlto } from '@lanyard/bundler/testing'
import { type RunningNetwork, smartBalanceAddress } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { minimumPostOpGas } from '@lanyard/smart-balance'
import { entryPoint07Address } from 'viem/account-abstraction'
import { expect, test } from 'vitest'
import { payee, sign, startOrderService } from './order-service.ts'

const alto = { startBundler: (network: RunningNetwork) => startAlto(network, entryPoint07Address) }

test.for([
  ['Alto', alto],
  ['the embedded bundler', {}],
] as const)(
  'behavior: %s estimates and accepts sponsored operations and orders, whose validation emits an event',
  async ([, bundler], { skip }) => {
    if (bundler === alto && altoProgram === undefined) skip()
    const output = 31338
    await using service = await startOrderService({ chainIds: [31337, output], ...bundler })
    const { owner, address } = await service.createFunded([31337])
    const send = async (request: object) => {
      const build = await service.build({ network: String(output), walletAddress: address, ...request })
      expect(build.status).toBe(200)
      const signature = await sign.raw(owner, build.body.messageToSign)
      expect(await service.submit({ walletAddress: address, signature })).toMatchObject({
        status: 200,
        body: { success: true },
      })
      return build.body.userOp.paymasterAndData
    }
    const readSigned = () =>
      service.on(output).chain.getContractEvents({
        address: smartBalanceAddress,
        abi: smartBalanceAbi,
        eventName: 'OrderSigned',
        fromBlock: 0n,
        strict: true,
      })
    const before = await service.balanceOf(output, payee)
    const paymasterAndData = await send({
      transactionDetails: [service.transfer(output, payee, 50_000_000n)],
      orderData: { amount: '50000000' },
    })
    expect((await service.balanceOf(output, payee)) - before).toBe(50_000_000n)
    const gas = unpackPaymasterAndData(paymasterAndData)
    expect(gas?.paymasterPostOpGasLimit).toBeGreaterThanOrEqual(minimumPostOpGas)

    await send({
      transactionDetails: [{ targetContractAddress: payee, value: '0', encodedData: '0x' }],
      paymasterData: 'sponsored',
    })
    // Only the order emits the event: a sponsored operation has no debt.
    expect((await readSigned()).map(({ args }) => args.paymasterAndData)).toEqual([paymasterAndData])
  },
)
