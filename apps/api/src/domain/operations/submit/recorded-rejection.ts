import { type ErrorCode, errorCodes, LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'

const isErrorCode = (code: string | null): code is ErrorCode => errorCodes.some((one) => one === code)

/** The bundler's rejection, as another request with the same signature recorded it. */
export const recordedRejection = (row: OperationRow): LanyardError =>
  new LanyardError(isErrorCode(row.reason_code) ? row.reason_code : 'OPERATION_REFUSED', {
    ...(row.reason_message !== null && { message: row.reason_message }),
    details: { userOpHash: row.user_op_hash, network: String(row.network) },
  })
