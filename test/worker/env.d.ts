declare namespace Cloudflare {
  interface Env {
    ECHO: DurableObjectNamespace<import('./socket/echo-object.ts').EchoObject>
  }
}

/** vitest also defines `process` in workers, with the variables of vitest.config.ts. */
declare const process: { readonly env: Readonly<Record<string, string | undefined>> }
