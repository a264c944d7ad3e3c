/** A file that travels with the program: its path. */
declare module "*.bin" {
  const path: string;
  export default path;
}
