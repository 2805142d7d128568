import type { TestServer } from './test-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What `freshDatabase` starts from: an image, and a server where there is one. */
    lanyardDatabases: { readonly pgliteImageFile: string; readonly postgres: TestServer | null }
  }
}
