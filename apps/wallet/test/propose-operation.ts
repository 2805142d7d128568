import {
  type Call,
  encodeCalls,
  getSafeOperationHash,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import { bufferToBase64URLString } from '@simplewebauthn/browser'
import { type Address, type Hex, hexToBytes } from 'viem'

/** `webauthn.transactionOptions` as an honest service answers it: an operation of exactly the calls that were asked for. */
export const proposeOperation = (sender: Address) => (input: Readonly<Record<string, unknown>>) => {
  // The wallet's own request, as its schema has it.
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
  const operation: UserOperation = {
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
  }
  const hash = hexToBytes(getSafeOperationHash(operation, { chainId: network }))
  const { initCode, callData, paymasterAndData } = operation
  return {
    challenge: bufferToBase64URLString(new Uint8Array(hash).buffer),
    rpId: 'localhost',
    allowCredentials: [],
    userVerification: 'required',
    timeout: 60_000,
    userOp: { ...toWireUserOperation(operation), sender, initCode, callData, paymasterAndData },
  }
}
