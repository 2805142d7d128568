import { endpoints, LanyardError } from '@lanyard/contracts'
import { toCalls } from '../../accounts/calls.ts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { type BuiltOperation, buildOperation } from '../../operations/build-operation.ts'
import { toPaymasterAndData } from '../../operations/paymaster.ts'
import { toUserOp } from '../../operations/to-user-op.ts'
import { requireEoaSigner } from '../../owners/require-eoa-signer.ts'

export const build = implement(endpoints.smartAccount.build, async (input, { services }, keepAnswer) => {
  const { signMode = 'ECDSA', paymasterData = '0x', replaces, allowRevert } = input
  if (signMode === 'SESSION_KEY') {
    throw new LanyardError('NOT_IMPLEMENTED', { message: 'This service has no session keys yet.' })
  }
  const network = services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  await requireEoaSigner(network, wallet)

  const toAnswer = ({ operation, safeOperationHash }: BuiltOperation) => ({
    userOp: toUserOp(operation),
    messageToSign: safeOperationHash,
    signMode,
  })
  const built = await buildOperation(services.operations, {
    wallet,
    network,
    calls: toCalls(input.transactionDetails),
    paymasterAndData: toPaymasterAndData(paymasterData),
    signMode,
    signer: { kind: 'eoa' },
    replaces,
    allowRevert,
    whenWritten: (transaction, written) => keepAnswer(transaction, toAnswer(written)),
  })
  return toAnswer(built)
})
