import {
  type Call,
  encodeCalls,
  getSafeOperationHash,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import { bufferToBase64URLString } from '@simplewebauthn/browser'
import { type Address, type Hex, hexToBytes } from 'viem'

/** An operation of a deployed account that pays for itself. */
export const draftOperation = (sender: Address, calls: readonly Call[]): UserOperation => ({
  sender,
  nonce: 0n,
  initCode: '0x',
  callData: encodeCalls(calls),
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymasterAndData: '0x',
})

/** Options for a ceremony that signs `signed`, while the response claims the operation is `shown`. */
export function toTransactionOptions(shown: UserOperation, chainId: number, signed = shown) {
  const hash = hexToBytes(getSafeOperationHash(signed, { chainId }))
  const { sender, initCode, callData, paymasterAndData } = shown
  return {
    challenge: bufferToBase64URLString(new Uint8Array(hash).buffer),
    rpId: 'localhost',
    allowCredentials: [],
    userVerification: 'required',
    timeout: 60_000,
    userOp: { ...toWireUserOperation(shown), sender, initCode, callData, paymasterAndData },
  }
}

/** `webauthn.transactionOptions` of an honest service: an operation with exactly the requested calls. */
export const proposeOperation = (sender: Address) => (input: Readonly<Record<string, unknown>>) => {
  // The wallet's own request, in the shape of its schema.
  const { network, transactionDetails } = input as {
    network: number
    transactionDetails: { targetContractAddress: Address; value: string; encodedData: Hex }[]
  }
  const calls = transactionDetails.map(
    ({ targetContractAddress, value, encodedData }): Call => ({
      to: targetContractAddress,
      value: BigInt(value),
      data: encodedData,
    }),
  )
  return toTransactionOptions(draftOperation(sender, calls), network)
}
