terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

variable "max_draught" {
  type        = number
  default     = 12
  description = "in  metres"
}

locals {
  name  = "harbour-${var.max_draught}"
  rates = { adult = 500, "child" = 100 }
}

resource "aws_s3_bucket" "log" {
  bucket = local.name
  tags = {
    Team = "port"
  }

  lifecycle {
    prevent_destroy = true
  }

  dynamic "rule" {
    for_each = [1, 2, 3]
    content {
      id = rule.value
    }
  }
}

data "aws_iam_policy" "admin" {
  count = var.max_draught > 3 ? 1 : 0
  name  = "Admin"
}

module "berth" {
  source = "./berth"
  text   = <<-EOT
    some text
      indented
  EOT
}

output "bucket" {
  value = aws_s3_bucket.log[*].id
}

provider "aws" {
  region = "eu-north-1"
}
