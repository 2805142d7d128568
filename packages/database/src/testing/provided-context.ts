import type { TestServer } from './test-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The inputs of `freshDatabase`: an image, and a server if there is one. */
    lanyardDatabases: { readonly pgliteImageFile: string; readonly postgres: TestServer | null }
  }
}
