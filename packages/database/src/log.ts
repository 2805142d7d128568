/** What this package needs of a logger: pino's shape. */
export interface DatabaseLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export const silentLog: DatabaseLog = { info: () => {}, warn: () => {} }
