(** Berths of a harbour. *)
open Printf

let max_draught = 12
let name : string = "north"
let first, second = (1, 2)

type state = Free | Taken of string | Closed

type entry = {
  ship : string;
  mutable draught : int;
}

type 'a queue = 'a list

exception Too_deep of int

external now : unit -> float = "caml_now"

(** Gives the berth. *)
let assign ?(draught = 1) ship =
  let half n = n / 2 in
  if draught > max_draught then raise (Too_deep draught)
  else
    match half draught with
    | 0 -> Free
    | _ -> Taken ship

let rec even n = n = 0 || odd (n - 1)
and odd n = n <> 0 && even (n - 1)

let ( ++ ) a b = a @ b

let label = function
  | Free -> "free"
  | Taken s -> sprintf "taken by %s" s
  | Closed -> "closed"

module Log = struct
  type t = entry list

  let empty : t = []
  let add e log = e :: log

  module Index = struct
    let size = 3
  end
end

module type PILOT = sig
  type t

  val guide : t -> string -> int
end

module Make (P : PILOT) = struct
  let run p = P.guide p "a"
end

class berth number =
  object (self)
    val mutable log = []
    method number = number
    method assign ship = log <- ship :: log
  end

let () =
  let b = new berth 1 in
  b#assign "a";
  print_endline (label Free)
