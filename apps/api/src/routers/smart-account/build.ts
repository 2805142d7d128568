import { endpoints } from '@lanyard/contracts'
import { builderOf } from '../../access/builder-of.ts'
import { toCalls } from '../../accounts/calls.ts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { buildOperation } from '../../operations/build-operation.ts'
import { toUserOp, toValidity } from '../../operations/to-user-op.ts'
import { type BuiltWithOrder, buildWithOrder } from '../../orders/build-with-order.ts'
import { findEoaSigners } from '../../orders/eoa-signers.ts'
import { findPayer } from '../../orders/find-payer.ts'
import { requireOnePayer } from '../../orders/require-one-payer.ts'
import { requireEoaSigner } from '../../owners/require-eoa-signer.ts'
import { buildWithSession, requireSessionKey } from '../../session-keys/build-with-session.ts'
import { chooseOrderSigner } from '../../smart-balance/order-signer.ts'

export const build = implement(endpoints.smartAccount.build, async (input, context, keepAnswer) => {
  const { services } = context
  const { signMode = 'ECDSA', paymasterData = '0x', orderData, replaces, allowRevert } = input
  const sessionKey = requireSessionKey(input)
  requireOnePayer(input)
  const network = services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  if (!sessionKey) await requireEoaSigner(network, wallet)

  const toAnswer = ({ built, solution }: Partial<BuiltWithOrder> & Pick<BuiltWithOrder, 'built'>) => ({
    userOp: toUserOp(built),
    messageToSign: built.safeOperationHash,
    signMode,
    ...toValidity(built),
    ...(solution && { order: solution }),
  })
  const calls = toCalls(input.transactionDetails)
  const builtBy = await builderOf(context, wallet)
  const common = { wallet, network, calls, builtBy, replaces, allowRevert }
  if (sessionKey) {
    const built = await buildWithSession(context, {
      ...common,
      key: sessionKey,
      paymasterData,
      whenWritten: (transaction, written) => keepAnswer(transaction, toAnswer({ built: written })),
    })
    return toAnswer({ built })
  }
  const request = { ...common, signMode, signer: { kind: 'eoa' } } as const

  if (orderData) {
    const orderSigner = await chooseOrderSigner(services, wallet, network, 'eoa')
    const built = await buildWithOrder(context, {
      ...request,
      orderData,
      orderSigner,
      whenWritten: (transaction, written) => keepAnswer(transaction, toAnswer(written)),
    })
    return toAnswer(built)
  }
  const signers = () => findEoaSigners(services, network, wallet)
  const { payer } = await findPayer(context, { wallet, network, paymasterData, calls, signers })
  const built = await buildOperation(services.operations, {
    ...request,
    payer,
    whenWritten: (transaction, written) => keepAnswer(transaction, toAnswer({ built: written })),
  })
  return toAnswer({ built })
})
