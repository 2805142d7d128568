import fc from 'fast-check'

/** Text that node:http allows in a header. */
const visible = fc
  .string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
    maxLength: 60,
  })
  .map((text) => text.trim())

const credentials = fc.constantFrom<Record<string, string>>(
  { authorization: 'Bearer {{userToken}}' },
  { authorization: 'bearer  {{userToken}}' },
  { authorization: '{{userToken}}' },
  { authorization: 'Bearer {{userToken|flip}}' },
  { authorization: 'Bearer {{userToken|cut}}' },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
  { authorization: 'Bearer' },
  { authorization: 'Basic dXNlcjpwYXNz' },
  { authorization: `Bearer ${'a'.repeat(3_000)}` },
  { 'x-api-key': 'lanyard_sk_unknown' },
  { 'x-api-key': 'a'.repeat(3_000) },
  { authorization: 'Bearer {{userToken}}', 'x-api-key': '{{userToken}}' },
)

const other = fc.oneof(
  fc.constantFrom<Record<string, string>>(
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/json;charset="utf-8"' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': '' },
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br' },
    { 'content-encoding': 'identity' },
    { accept: 'text/html' },
    { expect: '100-continue' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { 'x-http-method-override': 'DELETE' },
    { 'idempotency-key': 'same-for-all' },
    { 'idempotency-key': 'a'.repeat(256) },
    { 'x-forwarded-for': '999.1.1.1, ::1, x' },
    { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    { traceparent: '00-00000000000000000000000000000000-0000000000000000-zz' },
    { range: 'bytes=0-1' },
    { 'if-none-match': '*' },
    { 'trpc-accept': 'application/jsonl' },
    { 'x-trpc-source': '__proto__' },
  ),
  fc
    .tuple(
      fc.constantFrom(
        'authorization',
        'x-api-key',
        'idempotency-key',
        'x-request-id',
        'content-type',
        'origin',
        'traceparent',
        'tracestate',
        'accept',
        'accept-language',
        'cookie',
        'referer',
      ),
      visible,
    )
    .map(([name, value]) => ({ [name]: value })),
)

/** Request headers, from valid credentials to noise. */
export const requestHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 3, arbitrary: credentials },
  { weight: 2, arbitrary: other },
  { weight: 1, arbitrary: fc.tuple(credentials, other).map(([one, more]) => ({ ...one, ...more })) },
)
