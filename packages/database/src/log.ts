/** The logger interface that this package needs: a subset of pino's. */
export interface DatabaseLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export const silentLog: DatabaseLog = { info: () => {}, warn: () => {} }
