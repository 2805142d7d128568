import { KeystoreError } from '../keystore.ts'

/**
 * Imports a package that only those install whose keys are in its service.
 *
 * @throws KeystoreError naming what to install
 */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new KeystoreError(name, 'this package is needed for keys of its service: install it', { cause })
  }
}
