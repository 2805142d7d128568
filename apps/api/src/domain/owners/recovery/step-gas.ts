import { currentMeter } from '../../../platform/log/current-request.ts'

/** Gas of the most expensive step, which is simulated first: a start by 16 guardians that verify a passkey in Solidity. */
export const maxStepGas = 16_000_000n

/** Charges the call in progress for the steps that it makes due, one on each of these networks. */
export const chargeForSteps = (networks: number): void =>
  currentMeter()?.addGas(maxStepGas * BigInt(networks))
