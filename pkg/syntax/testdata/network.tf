# The network of a small shop: subnets, gateways and what may talk to what.
terraform {
  required_version = ">= 1.5.0"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }

  backend "s3" {
    bucket = "shop-state"
    key    = "network/terraform.tfstate"
  }
}

variable "region" {
  type        = string
  default     = "eu-west-1"
  description = "Where the network is built."
}

variable "zones" {
  type    = list(string)
  default = ["a", "b"]

  validation {
    condition     = length(var.zones) > 0 && length(var.zones) <= 3
    error_message = "One to three zones."
  }
}

variable "ports" {
  type = map(object({
    from = number
    to   = optional(number, 0)
  }))
  default = {
    web   = { from = 443, to = 443 }
    admin = { from = 8443, to = 8450 }
  }
}

locals {
  name   = "shop-${terraform.workspace}"
  prefix = 10
  public = {
    for index, zone in var.zones : zone => cidrsubnet("10.0.0.0/16", 8, index)
  }
  private = [for zone in var.zones : upper(zone) if zone != "c"]
  tags = {
    Owner      = "network"
    "cost:key" = "4711"
    nested = {
      deep = true
    }
  }
  size = var.region == "eu-west-1" ? "large" : "small"
}

provider "aws" {
  region = var.region
  default_tags {
    tags = local.tags
  }
}

provider "aws" {
  alias  = "backup"
  region = "eu-central-1"
}

data "aws_ami" "base" {
  most_recent = true
  owners      = ["self", "amazon"]

  filter {
    name   = "name"
    values = ["base-*"]
  }

  filter {
    name   = "state"
    values = ["available"]
  }
}

resource "aws_vpc" "main" {
  cidr_block           = "10.0.0.0/16"
  enable_dns_hostnames = true
  tags                 = merge(local.tags, { Name = local.name })
}

resource "aws_subnet" "public" {
  for_each          = local.public
  vpc_id            = aws_vpc.main.id
  cidr_block        = each.value
  availability_zone = "${var.region}${each.key}"

  lifecycle {
    create_before_destroy = true
    ignore_changes        = [tags["touched"]]
  }
}

resource "aws_security_group" "web" {
  name_prefix = "${local.name}-web-"
  vpc_id      = aws_vpc.main.id

  dynamic "ingress" {
    for_each = var.ports
    iterator = port
    content {
      from_port   = port.value.from
      to_port     = port.value.to > 0 ? port.value.to : port.value.from
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  }

  egress {
    from_port = 0
    to_port   = 0
    protocol  = "-1"
  }
}

resource "aws_instance" "bastion" {
  count         = var.region == "eu-west-1" ? 1 : 0
  ami           = data.aws_ami.base.id
  instance_type = local.size == "large" ? "t3.medium" : "t3.micro"
  subnet_id     = values(aws_subnet.public)[*].id[0]
  user_data     = <<-EOT
    #!/bin/sh
    echo "${local.name}" > /etc/motd
    %{if local.prefix > 8}
    reboot
    %{endif}
  EOT

  provisioner "local-exec" {
    command = "echo ${self.public_ip} >> hosts"
    when    = create
  }

  connection {
    host = self.public_ip
  }
}

resource "aws_instance" "worker" {
  ami = data.aws_ami.base.id
}

module "dns" {
  source    = "./modules/dns"
  version   = "1.2.3"
  providers = { aws = aws.backup }
  records = {
    www  = aws_instance.bastion[0].public_ip
    mail = "10.0.1.25"
  }
}

output "vpc_id" {
  value     = aws_vpc.main.id
  sensitive = false
}

output "subnets" {
  value = { for zone, subnet in aws_subnet.public : zone => subnet.id }
}

moved {
  from = aws_vpc.old
  to   = aws_vpc.main
}
