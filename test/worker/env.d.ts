declare namespace Cloudflare {
  interface Env {
    ECHO: DurableObjectNamespace<import('./socket/echo-object.ts').EchoObject>
  }
}
