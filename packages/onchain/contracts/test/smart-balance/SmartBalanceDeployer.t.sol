// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";
import {DevToken} from "../../DevToken.sol";
import {IOutcomeVerifier} from "../../interfaces/IOutcomeVerifier.sol";
import {Parameters} from "../../interfaces/ISmartBalanceDeployer.sol";
import {Vault} from "../../smart-balance/Vault.sol";
import {SmartBalanceParts as SmartBalance} from "../../smart-balance/SmartBalanceParts.sol";
import {SmartBalanceDeployer} from "../../SmartBalanceDeployer.sol";
import {Test} from "../Test.sol";

contract SmartBalanceDeployerTest is Test {
    SmartBalanceDeployer private deployer = SmartBalanceDeployer(_create(_creationCode("SmartBalanceDeployer"), ""));

    function test_default() public {
        SmartBalance deployed = SmartBalance(_deploy(6, address(0xAD)));
        assertEq(deployed.SCALE(), 1, "SCALE");
        assertTrue(deployed.owner() == address(0xAD), "owner");
        assertTrue(deployed.ENTRY_POINT() == address(1), "entry point");
        assertTrue(deployed.SAFE_4337_MODULE() == address(2), "module");
        assertTrue(address(deployed.verifier()) == address(3), "verifier");
        assertTrue(deployer.parameters().owner == address(0), "parameters are gone");
    }

    /// @dev EIP-170; the project's own limit is 24,000.
    function test_size() public {
        assertWithin(_deploy(6, address(0xAD)).code.length, 1, 24_000, "bytes");
    }

    /// @dev The address is a function of caller, salt and creation code, not of the token.
    function test_behavior_oneAddress() public {
        bytes32 codeHash = keccak256(_creationCode("SmartBalance"));
        address expected = deployer.addressOf(address(this), 0, codeHash);
        assertTrue(_deploy(18, address(0xAD)) == expected, "address");
        assertTrue(deployer.addressOf(address(0xBAD), 0, codeHash) != expected, "for another caller");
    }

    function test_error_UnsupportedDecimals() public {
        uint8[2] memory unsupported = [5, 37];
        for (uint256 i; i < unsupported.length; ++i) {
            DevToken token = DevToken(_create(_creationCode("DevToken"), abi.encode("", "", unsupported[i])));
            vm.expectRevert(abi.encodeWithSelector(Vault.UnsupportedDecimals.selector, unsupported[i]));
            deployer.deploy(0, _creationCode("SmartBalance"), _parameters(token, address(0xAD)));
        }
        assertEq(SmartBalance(payable(_deploy(36, address(0xAD)))).SCALE(), 10 ** 30, "the most");
    }

    function test_error_OwnableInvalidOwner() public {
        DevToken token = DevToken(_create(_creationCode("DevToken"), abi.encode("", "", 6)));
        vm.expectPartialRevert(Ownable.OwnableInvalidOwner.selector);
        deployer.deploy(0, _creationCode("SmartBalance"), _parameters(token, address(0)));
    }

    function test_error_twice() public {
        _deploy(6, address(0xAD));
        DevToken token = DevToken(_create(_creationCode("DevToken"), abi.encode("", "", 6)));
        vm.expectRevert(abi.encodeWithSelector(Errors.FailedDeployment.selector));
        deployer.deploy(0, _creationCode("SmartBalance"), _parameters(token, address(0xAD)));
    }

    function _deploy(uint8 decimals, address owner) private returns (address) {
        DevToken token = DevToken(_create(_creationCode("DevToken"), abi.encode("", "", decimals)));
        return deployer.deploy(0, _creationCode("SmartBalance"), _parameters(token, owner));
    }

    function _parameters(DevToken token, address owner) private pure returns (Parameters memory) {
        return
            Parameters(IERC20(address(token)), address(1), address(2), owner, IOutcomeVerifier(address(3)), address(4));
    }
}
