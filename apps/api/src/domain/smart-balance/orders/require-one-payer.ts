import { LanyardError } from '@lanyard/contracts'

interface PaymentInput {
  readonly paymasterData?: string | undefined
  readonly orderData?: unknown
  readonly replaces?: string | undefined
}

/**
 * An order of `orderData` pays for the gas and has its own nonce, so it cannot be combined with
 * `paymasterData` or `replaces`.
 *
 * @throws INVALID_INPUT
 */
export function requireOnePayer({ paymasterData = '0x', orderData, replaces }: PaymentInput): void {
  if (orderData === undefined) return
  const issues = [
    ...(paymasterData === '0x'
      ? []
      : [{ path: 'paymasterData', message: 'Send orderData or paymasterData, not both.' }]),
    ...(replaces === undefined
      ? []
      : [
          {
            path: 'replaces',
            message: "To raise the fees of an order's operation, build it again with its paymasterData.",
          },
        ]),
  ]
  if (issues.length > 0) throw new LanyardError('INVALID_INPUT', { issues })
}
