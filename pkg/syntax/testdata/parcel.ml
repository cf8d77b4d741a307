(* Parcels, routes and the depot that sorts them. *)
open Printf
open! Stdlib

let max_weight = 31.5
let depots, hubs = ([ "north"; "south" ], 3)
let (first, _) = ("a", 1)
let rec even n = n = 0 || odd (n - 1)
and odd n = n <> 0 && even (n - 1)

external now : unit -> float = "caml_now" [@@noalloc]

type weight = float
type 'a queue = { front : 'a list; mutable back : 'a list; limit : int }

type parcel = {
  id : int;
  sender : address;
  weight : weight; (* kilograms *)
  mutable state : state;
}

and address = { street : string; city : string option }

and state =
  | Waiting
  | Moving of { truck : int; since : float }
  | Delivered of string * float
  | Lost
[@@deriving show]

type shape = [ `Box | `Tube of int | `Flat ]
type _ expr = Int : int -> int expr | Bool : bool -> bool expr
type t = ..
type t += Custom of int

exception Too_heavy of weight
exception Unknown = Not_found

module type SORTER = sig
  type key

  val compare : key -> key -> int
  val sort : parcel list -> parcel list
end

module type NAMED = sig
  val name : string
end

let ( +: ) item queue = { queue with back = item :: queue.back }
let ( let* ) = Option.bind

let empty ?(limit = 10) () = { front = []; back = []; limit }

let push ~item queue =
  let size = List.length queue.front + List.length queue.back in
  if size >= queue.limit then Error "full"
  else
    let back = item :: queue.back in
    Ok { queue with back }

let rec pop queue =
  match queue with
  | { front = []; back = []; _ } -> None
  | { front = []; back; _ } -> pop { queue with front = List.rev back; back = [] }
  | { front = x :: rest; _ } -> Some (x, { queue with front = rest })

let describe parcel =
  let label = function
    | Waiting -> "waiting"
    | Moving { truck; since } when now () -. since > 3600. -> sprintf "late on %d" truck
    | Moving _ -> "moving"
    | Delivered (name, _) | Delivered (name, _) -> "with " ^ name
    | Lost -> "lost"
  in
  sprintf "%06d: %s" parcel.id (label parcel.state)

let check parcel =
  if parcel.weight > max_weight then raise (Too_heavy parcel.weight);
  parcel.state <- Waiting;
  try ignore (describe parcel) with
  | Not_found -> ()
  | Failure message -> prerr_endline message

module Route = struct
  type stop = { place : string; distance : int }

  let limit = 40

  module Cost = struct
    let per_km = 0.35

    let total stops =
      List.fold_left (fun sum stop -> sum +. (float_of_int stop.distance *. per_km)) 0. stops
  end

  let add stop stops = if List.length stops < limit then stop :: stops else stops
end

module Sorter (K : SORTER) : SORTER with type key = K.key = struct
  type key = K.key

  let compare = K.compare
  let sort list = List.sort (fun a b -> Stdlib.compare a.id b.id) list
end

module By_weight = struct
  let name = "weight"
  let key parcel = parcel.weight
end

module Names : NAMED = By_weight

class virtual vehicle (plate : string) =
  object (self)
    val mutable load = 0.
    val capacity = 900.

    method plate = plate

    method take parcel =
      if load +. parcel.weight > capacity then false
      else begin
        load <- load +. parcel.weight;
        self#log parcel.id;
        true
      end

    method private log n = printf "took %d\n" n
    method virtual drive : int -> unit
  end

class van plate =
  object
    inherit vehicle plate as super
    method drive km = for _ = 1 to km do ignore super#plate done
  end

let rec sum : 'a. ('a -> int) -> 'a list -> int = fun f -> function [] -> 0 | x :: xs -> f x + sum f xs

let total =
  let counter = ref 0 in
  let bump () = incr counter in
  bump ();
  !counter

let lookup table id =
  let* parcel = Hashtbl.find_opt table id in
  let open Route in
  if parcel.id < limit then Some parcel else None

let%test "sum" = sum (fun x -> x) [ 1; 2 ] = 3

let rate = function `Box -> 5 | `Tube n -> n * 2 | `Flat -> 1

let () =
  let queue = empty ~limit:3 () in
  while Random.bool () do
    print_endline "."
  done;
  match push ~item:1 queue with Ok _ -> exit 0 | Error e -> prerr_endline e
