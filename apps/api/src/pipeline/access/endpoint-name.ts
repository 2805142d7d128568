import type { endpoints } from '@lanyard/contracts'

type Table = typeof endpoints

/** `noun.verb` of every declared endpoint: the path of its tRPC procedure. */
export type EndpointName = {
  [Noun in keyof Table & string]: `${Noun}.${keyof Table[Noun] & string}`
}[keyof Table & string]

/** The access of an endpoint's callers, from its declaration. */
export type AccessOf<Name extends EndpointName> =
  Name extends `${infer Noun extends keyof Table & string}.${infer Verb}`
    ? Table[Noun][Verb & keyof Table[Noun]] extends { readonly access: infer A }
      ? A
      : never
    : never
